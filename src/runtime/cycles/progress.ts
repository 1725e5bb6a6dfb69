/** σ₅ of a run: the cycles of its accepted plan and what became of each (TDP-50). */
import type { Cycle, Progress } from "../../memory/bank/progress-text.ts";
import { openAsks } from "../../views/open-asks.ts";
import type { RunContext } from "../context.ts";
import { activeCycle } from "./active-state.ts";
import { plannedCycles } from "./cycle.ts";
import { failureClasses } from "./failure-analysis.ts";

export async function progressOf(
  context: Pick<RunContext, "session" | "payloads" | "protocol">,
): Promise<Progress> {
  const { view, state } = context.session;
  const isAccepted = state.frames["main"]?.facts["plan_approved"] === true;
  const cycles = isAccepted ? await plannedCycles(context) : [];
  const active = state.ended === null ? Number(activeCycle(state)?.parent?.item.slice(1) ?? 0) : 0;
  const isUnclear = openAsks(view).some((ask) => ask.as === "inconclusive");
  return {
    cycles: cycles.map(({ method }, index): Cycle => {
      const number = index + 1;
      const done = view.cyclesDone.findLast(({ cycle }) => cycle === number);
      const failure = view.cyclesFailed.findLast(({ cycle }) => cycle === number);
      const about = { index: number, method };
      if (number === active) return { ...about, status: isUnclear ? "inconclusive" : "working" };
      if (done !== undefined && done.seq > (failure?.seq ?? 0)) return { ...about, status: "done" };
      if (failure === undefined) return { ...about, status: "open" };
      const { kind, fault, what, why, record } = failure;
      return {
        ...about,
        status: "failed",
        class: fault === null ? failureClasses[kind] : `${failureClasses[kind]} ${fault}`,
        error: why === "" ? what : `${what}: ${why}`,
        ...(record === null ? {} : { evidence: record }),
      };
    }),
    showsWork: context.protocol.features["handoff"] === true,
  };
}
