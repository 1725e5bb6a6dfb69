/** The newest reviews of a gate, as input of the gate's rules. */
import type { GateInput, GateReview } from "../gates/review/review-gates.ts";
import type { EventOf } from "../log/run-event.ts";
import type { RunContext } from "./context.ts";

interface GateQuery {
  readonly gate: 1 | 2 | 3;
  readonly current: Readonly<Record<string, string>>;
}

/** Reviewer 1 answers in its message, reviewer 2 in its file. */
export function gateInput({ session, protocol }: RunContext, { gate, current }: GateQuery): GateInput {
  const given = session.view.reviews.filter((review) => review.gate === gate);
  const [first, second] = reviewerRoles(protocol.roles);
  const newest = (role: string | undefined) => given.findLast(({ reviewer }) => reviewer === role);
  return {
    first: asGateReview(newest(first)),
    second: asGateReview(newest(second)),
    current,
    singleReviewer: isSilent(given.filter(({ reviewer }) => reviewer === first).slice(-2)),
  };
}

/** The two reviewer roles in protocol order: one that only answers, and one that writes a review. */
export function reviewerRoles(roles: RunContext["protocol"]["roles"]): readonly string[] {
  return Object.keys(roles).filter((name) => ["none", "review"].includes(roles[name]?.writes ?? ""));
}

/** No visible answer twice in a row (ORC-77). */
function isSilent(last: readonly EventOf<"review.given">[]): boolean {
  return last.length === 2 && last.every(({ verdict }) => verdict === "empty");
}

function asGateReview(review: EventOf<"review.given"> | undefined): GateReview | null {
  if (!review) return null;
  const { label, vendor, verdict, fields, reviewed } = review;
  return { label, vendor, verdict, fields, reviewed };
}
