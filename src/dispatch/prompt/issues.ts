/** Selects reviewers' issues for the role that can fix them: test issues of gate 3 go to the test writer (ORC-19). */
import { isTestIssue } from "../../gates/review/review.ts";
import { listItems } from "../../gates/review/review-text.ts";
import type { EventOf } from "../../log/run-event.ts";

/** The gates whose reviews a role gets. */
const gatesOf: Readonly<Record<string, readonly number[]>> = { planner: [1], tester: [2, 3], coder: [3] };

export interface IssueQuery {
  readonly role: string;
  /** Reviews since the role's last dispatch. */
  readonly reviews: readonly EventOf<"review.given">[];
}

/** One line per issue and suggestion, with the reviewer's name. At gate 1 approving reviews are included (ORC-17). */
export function issuesFor({ role, reviews }: IssueQuery): string {
  return reviews
    .filter(({ gate, verdict }) => (gatesOf[role] ?? []).includes(gate) && isForRole(gate, verdict))
    .flatMap(({ gate, label, verdict, fields, issues, suggestions }) => [
      ...(verdict === "APPROVED" ? listItems(fields["ISSUES"] ?? "") : issues)
        .filter((issue) => gate !== 3 || isTestIssue(issue) === (role === "tester"))
        .map((issue) => `- ${label}: ${issue}`),
      // Suggestions at gate 3 concern the code.
      ...(gate === 3 && role === "tester" ? [] : suggestions).map((text) => `- ${label} suggests: ${text}`),
    ])
    .join("\n");
}

function isForRole(gate: number, verdict: EventOf<"review.given">["verdict"]): boolean {
  return verdict === "NEEDS_WORK" || (gate === 1 && verdict === "APPROVED");
}
