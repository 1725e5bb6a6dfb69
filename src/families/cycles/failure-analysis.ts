/** The failure analysis in σ₄ after a cycle failed (TDP-29). */
import type { ActiveState } from "../../memory/bank/active-state.ts";
import { openAsks } from "../../log/open-asks.ts";
import { askCommands } from "../../views/asks.ts";
import type { RunContext } from "../../run/context.ts";

const classes = {
  agent: "AGENT_FAILURE",
  test: "TEST_FAILURE",
  quality: "QUALITY_FAILURE",
} as const;

/** `AGENT_FAILURE`, `TEST_FAILURE qa`, … */
export function failureClass({ kind, fault }: RunContext["session"]["view"]["cyclesFailed"][number]): string {
  return fault === null ? classes[kind] : `${classes[kind]} ${fault}`;
}

/** The record of the failure; the journal event for an agent that could not continue and for unexecuted work. */
export function evidenceOf({ record, seq }: RunContext["session"]["view"]["cyclesFailed"][number]): string {
  return record ?? `event ${seq}`;
}

/** Null without a failure, and once the failed cycle was repeated with success. */
export function failureAnalysis({ session }: Pick<RunContext, "session">): ActiveState["failure_analysis"] {
  const { view } = session;
  const failure = view.cyclesFailed.at(-1);
  if (failure === undefined || (view.cyclesDone.at(-1)?.seq ?? 0) > failure.seq) return null;
  const { cycle, phase, what, why, failing, snapshot } = failure;
  return {
    cycle,
    phase,
    class: failureClass(failure),
    cause: what,
    summary: why,
    evidence: [evidenceOf(failure)],
    findings: failing,
    snapshot: `${snapshot.commit} at event ${snapshot.seq}`,
    commands: openAsks(view).flatMap((ask) => askCommands(view, ask)),
  };
}
