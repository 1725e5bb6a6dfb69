/** Reads one run for a page: its model, and a key that changes whenever the model may have changed. */
import { AppError } from "../lib/errors.ts";
import { runStatus, type RunStatus } from "../views/run/status.ts";
import { shownState } from "../views/run/shown-state.ts";
import { timeline, type TimelineLine } from "../views/run/timeline.ts";
import { runTail, type RunTail } from "./live/run-tail.ts";
import type { Stores } from "./stores/opened.ts";

export interface RunModel {
  readonly status: RunStatus;
  readonly timeline: readonly TimelineLine[];
}

export interface RunNow {
  readonly key: string;
  /** The newest event. */
  readonly seq: number;
  /** Hash of its state, to which pausing, resuming and aborting are bound. */
  readonly state: string;
  readonly model: RunModel;
}

export interface RunReader {
  /** @param known the key of the model that the caller has @returns null if it is the same @throws run_unknown */
  read(known?: string): Promise<RunNow | null>;
}

export interface RunReaders {
  reader(repository: string, run: string): RunReader;
}

/** Runs whose events are kept; the one that was read longest ago makes room. */
const maxTails = 8;

export function runReaders(stores: Stores): RunReaders {
  const tails = new Map<string, RunTail>();

  /** @throws run_unknown */
  const tailOf = async (repository: string, run: string): Promise<RunTail> => {
    const { journal } = await stores.open(repository);
    const name = `${repository}/${run}`;
    const tail = tails.get(name) ?? runTail(run);
    tails.delete(name);
    await tail.refresh(journal);
    if (tail.view().started === null)
      throw new AppError("run_unknown", `there is no run ${run}`, { hint: "the list has all runs" });
    tails.set(name, tail);
    const [oldest] = tails.keys();
    if (tails.size > maxTails && oldest !== undefined) tails.delete(oldest);
    return tail;
  };

  return {
    reader: (repository, run) => ({
      async read(known) {
        const tail = await tailOf(repository, run);
        const view = tail.view();
        const owner = tail.owner();
        const key = `${view.seq}-${owner ?? ""}`;
        if (key === known) return null;
        const status = runStatus(view, { owner });
        const model = { status, timeline: timeline(tail.events()) };
        return { key, seq: view.seq, state: shownState(status), model };
      },
    }),
  };
}
