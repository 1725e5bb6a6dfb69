/** The state of a run when its newest cycle failed, from its journal up to that event (TDP-26). */
import { AppError } from "../../lib/errors.ts";
import type { ActiveState } from "../../memory/bank/active-state.ts";
import { progressText } from "../../memory/bank/progress-text.ts";
import { stateText } from "../../memory/bank/state-text.ts";
import type { RunContext } from "../../run/context.ts";
import { Session } from "../../run/session.ts";
import { activeState } from "./active-state.ts";
import { progressOf } from "./progress.ts";

export interface StateSnapshot {
  readonly cycle: number;
  /** The newest event before the failure. */
  readonly seq: number;
  /** Head of the run's branch. */
  readonly commit: string;
  readonly state: ActiveState;
  /** σ₅ as text. */
  readonly progress: string;
}

/** The snapshot of the newest failed cycle. */
export async function failureSnapshot(context: RunContext): Promise<StateSnapshot> {
  const { run, session, payloads } = context;
  const failure = session.view.cyclesFailed.at(-1);
  if (failure === undefined)
    throw new AppError("usage", `no cycle of run ${run} failed`, { hint: `\`mettle show ${run}\`` });
  const { seq, commit } = failure.snapshot;
  const { journal } = session.ports;
  const upTo: typeof journal = {
    ...journal,
    read: async (id, after) => (await journal.read(id, after)).filter((event) => event.seq <= seq),
  };
  // A verified address guarantees the type that it was stored with.
  const load = async (ref: string) => JSON.parse(await payloads.text(ref)) as RunContext["protocol"];
  const then = await Session.open(run, { ...session.ports, journal: upTo }, load);
  const at: RunContext = { ...context, session: then };
  const progress = progressText(await progressOf(at));
  return { cycle: failure.cycle, seq, commit, state: await activeState(at), progress };
}

export function snapshotText({ cycle, seq, commit, state, progress }: StateSnapshot): string {
  return [
    `cycle ${cycle} failed after event ${seq}, at commit ${commit}`,
    "σ₄",
    stateText(state),
    "σ₅",
    progress,
  ].join("\n");
}
