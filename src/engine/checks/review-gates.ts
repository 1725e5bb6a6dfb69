/** Gates 2 and 3: both reviewers approved this commit, and the runtime's record of it passed (ORC-29, 33). */
import { judgeGate2, judgeGate3, type OwnTestRun } from "../../gates/review/review-gates.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import { plainOutcomes, type GateRequest, type Gate, type GateResult } from "../../family/gate.ts";
import { gateInput } from "../../run/reviews.ts";

export const gate2: Gate = {
  outcomes: plainOutcomes,
  check: (request) => judge(request, { gate: 2, purpose: "red", judgeGate: judgeGate2 }),
};

export const gate3: Gate = {
  outcomes: plainOutcomes,
  check: (request) => judge(request, { gate: 3, purpose: "green", judgeGate: judgeGate3 }),
};

interface ReviewGate {
  readonly gate: 2 | 3;
  readonly purpose: string;
  readonly judgeGate: typeof judgeGate2;
}

async function judge(
  { context }: GateRequest,
  { gate, purpose, judgeGate }: ReviewGate,
): Promise<GateResult> {
  const commit = context.session.view.head.branch ?? "";
  const record = recordFor(context, { purpose, commit });
  const own: OwnTestRun | null = record
    ? { verdict: record.verdict, commit, exitCode: record.exitCode }
    : null;
  const verdict = judgeGate({ ...gateInput(context, { gate, current: { commit } }), own, commit });
  return { verdict, ...(record ? { proof: record.id } : {}) };
}

/** The newest record of a purpose for a commit. */
export function recordFor(
  { session }: RunContext,
  { purpose, commit }: { readonly purpose: string; readonly commit: string },
): EventOf<"record.written"> | null {
  return (
    session.view.records.findLast((record) => record.purpose === purpose && record.commit === commit) ?? null
  );
}
