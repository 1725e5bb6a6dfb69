import { conclude, failed, passed, unclear } from "../check.ts";
import type { Check, Finding, Verdict } from "../verdict.ts";

/**
 * The three gates with two reviewers, as truth tables (ORC-26, ORC-29, ORC-33): verdicts for the current content, the fields
 * that each gate requires, and Mettle's own verdict on the tests. A reviewer's statement about a test run decides nothing.
 */
export interface GateReview {
  readonly label: string;
  /** Vendor of the reviewer's model, where known. */
  readonly vendor?: string;
  readonly verdict: "APPROVED" | "NEEDS_WORK" | "inconclusive" | "empty";
  readonly fields: Readonly<Record<string, string>>;
  /** Name -> hash of the reviewed content. */
  readonly reviewed: Readonly<Record<string, string>>;
}

export interface GateInput {
  /** Reviewer 1 (Gemini's format) and reviewer 2 (Claude's); null where no review was given. */
  readonly first: GateReview | null;
  readonly second: GateReview | null;
  /** Name -> hash of the current content, which both must have reviewed. */
  readonly current: Readonly<Record<string, string>>;
  /** Reviewer 1 failed to answer too often and the run went on without it (ORC-77). Never applies to reviewer 2. */
  readonly singleReviewer: boolean;
}

/** Mettle's own record of the tests, for gates 2 and 3. */
export interface OwnTestRun {
  readonly verdict: "pass" | "fail" | "inconclusive";
  readonly commit: string;
  readonly exitCode: number | null;
}

export type TestGateInput = GateInput & {
  readonly own: OwnTestRun | null;
  /** The commit under review. */
  readonly commit: string;
};

export function judgeGate1(input: GateInput): Verdict {
  return conclude({ checks: reviewChecks(input, { first: [], second: [] }), findings: marks(input) });
}

export function judgeGate2(input: TestGateInput): Verdict {
  const fields = { first: ["RED_PHASE_CHECK"], second: ["RED_PHASE_VALID"] };
  return conclude({
    checks: [...reviewChecks(input, fields), ownCheck(input, "RED")],
    findings: marks(input),
  });
}

export function judgeGate3(input: TestGateInput): Verdict {
  const fields = { first: ["EXECUTION_CHECK"], second: [] };
  return conclude({
    checks: [...reviewChecks(input, fields), ownCheck(input, "GREEN")],
    findings: [...marks(input), ...exitCodeFindings(input)],
  });
}

function reviewChecks(
  input: GateInput,
  demanded: { readonly first: readonly string[]; readonly second: readonly string[] },
): readonly Check[] {
  const { first, second, current, singleReviewer } = input;
  const silent = first === null || first.verdict === "empty" || first.verdict === "inconclusive";
  const firstChecks =
    singleReviewer && silent
      ? []
      : reviewerChecks({ review: first, who: "reviewer 1", fields: demanded.first, current });
  return [
    ...firstChecks,
    ...reviewerChecks({ review: second, who: "reviewer 2", fields: demanded.second, current }),
  ];
}

function reviewerChecks(options: {
  readonly review: GateReview | null;
  readonly who: string;
  readonly fields: readonly string[];
  readonly current: Readonly<Record<string, string>>;
}): readonly Check[] {
  const { review, who, fields, current } = options;
  if (review === null) return [unclear(`${who} approves`, `${who} has given no review`)];
  const { label } = review;
  if (review.verdict === "inconclusive" || review.verdict === "empty") return [verdictCheck(review)];
  const stale = Object.keys(current).filter((name) => review.reviewed[name] !== current[name]);
  return [
    verdictCheck(review),
    ...fields.map((field) => fieldCheck(review, field)),
    stale.length === 0
      ? passed(`${label} reviewed the current content`)
      : failed(
          `${label} reviewed the current content`,
          `${stale.join(" and ")} changed since ${label}'s review; it must review again`,
        ),
  ];
}

function verdictCheck({ label, verdict }: GateReview): Check {
  const name = `${label} approves`;
  switch (verdict) {
    case "APPROVED":
      return passed(name);
    case "NEEDS_WORK":
      return failed(name, `${label} says NEEDS_WORK`);
    case "inconclusive":
    case "empty":
      return unclear(name, `${label}'s review is ${verdict}`);
  }
}

function fieldCheck({ label, fields }: GateReview, field: string): Check {
  const name = `${label}: ${field} is YES`;
  const value = fields[field];
  if (value === "YES") return passed(name);
  return failed(name, value === undefined ? `${field} is missing` : `${field} is ${value}`);
}

function ownCheck({ own, commit }: TestGateInput, kind: "RED" | "GREEN"): Check {
  const name = `the runtime's own ${kind} verdict is pass`;
  if (own === null || own.commit !== commit)
    return failed(name, `there is no ${kind} record of commit ${commit}`);
  if (own.verdict === "pass") return passed(name);
  const reason = `the runtime's own ${kind} verdict for commit ${commit} is ${own.verdict}`;
  return own.verdict === "fail" ? failed(name, reason) : unclear(name, reason);
}

/** Findings shown with the verdict at the gate, in the summary and in the record (ORC-64, ORC-77). */
function marks({ singleReviewer, first, second }: GateInput): readonly Finding[] {
  const found: Finding[] = [];
  if (singleReviewer) {
    const message = "single-reviewer: reviewer 1 did not answer, only reviewer 2 judged";
    found.push({ code: "single_reviewer", severity: "finding", message });
  }
  const vendors = [first, second].flatMap((review) => (review && isVerdict(review) ? [review.vendor] : []));
  if (vendors.length === 2 && vendors[0] !== undefined && vendors[0] === vendors[1]) {
    const message = `same-vendor review: both reviewers are from ${vendors[0]}`;
    found.push({ code: "same_vendor", severity: "finding", message });
  }
  return found;
}

function isVerdict({ verdict }: GateReview): boolean {
  return verdict === "APPROVED" || verdict === "NEEDS_WORK";
}

/** Reports both exit codes; only Mettle's counts. */
function exitCodeFindings({ second, own }: TestGateInput): readonly Finding[] {
  const stated = second?.fields["EXIT_CODE"];
  if (second === null || stated === undefined || own === null) return [];
  const ours = own.exitCode === null ? "none" : String(own.exitCode);
  if (stated.split(" ")[0] === ours) return [];
  const message = `${second.label} says EXIT_CODE ${stated}, Mettle's record says ${ours}; only Mettle's counts`;
  return [{ code: "exit_code_differs", severity: "finding", message }];
}
