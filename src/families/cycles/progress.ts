/** σ₅ of a run: the cycles of its accepted plan and their results (TDP-50). */
import { withLabel } from "../../lib/with-label.ts";
import type { CycleProgress, BankProgress } from "../../memory/bank/progress-text.ts";
import { openAsks } from "../../log/open-asks.ts";
import type { RunContext } from "../../run/context.ts";
import { activeCycle } from "./active-state.ts";
import { plannedCycles } from "./cycle.ts";
import { evidenceOf, failureClass } from "./failure-analysis.ts";

export async function progressOf(
  context: Pick<RunContext, "session" | "payloads" | "protocol">,
): Promise<BankProgress> {
  const { view, state } = context.session;
  const isAccepted = state.frames["main"]?.facts["plan_approved"] === true;
  const cycles = isAccepted ? await plannedCycles(context) : [];
  const active = state.ended === null ? Number(activeCycle(state)?.parent?.item.slice(1) ?? 0) : 0;
  const isUnclear = openAsks(view).some((ask) => ask.as === "inconclusive");
  return {
    cycles: cycles.map(({ method }, index): CycleProgress => {
      const number = index + 1;
      const done = view.cyclesDone.findLast(({ cycle }) => cycle === number);
      const failures = view.cyclesFailed.filter(({ cycle }) => cycle === number);
      const failure = failures.at(-1);
      const about = { index: number, method, ...earlierFailures(failures) };
      if (number === active) return { ...about, status: isUnclear ? "inconclusive" : "working" };
      if (done !== undefined && done.seq > (failure?.seq ?? 0)) return { ...about, status: "done" };
      if (failure === undefined) return { ...about, status: "open" };
      return {
        index: number,
        method,
        ...earlierFailures(failures.slice(0, -1)),
        status: "failed",
        class: failureClass(failure),
        error: errorOf(failure),
        evidence: evidenceOf(failure),
      };
    }),
    showsWork: context.protocol.features["handoff"] === true,
  };
}

type Failure = RunContext["session"]["view"]["cyclesFailed"][number];

function errorOf({ what, why }: Failure): string {
  return withLabel(what, why);
}

/** A person may repeat a failed cycle; both attempts are listed (TDP-60). */
function earlierFailures(failures: readonly Failure[]): Pick<CycleProgress, "before"> {
  if (failures.length === 0) return {};
  return {
    before: failures.map((failure) => {
      const about = `${failureClass(failure)}, ${evidenceOf(failure)}`;
      return `${about}: ${errorOf(failure)}`;
    }),
  };
}
