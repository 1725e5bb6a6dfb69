/** A run as far as this process has read it: events that were read once are not read again. */
import type { Journal } from "../../journal/journal.ts";
import type { Recorded } from "../../log/run-event.ts";
import { emptyView, foldView, type RunView } from "../../log/run-view.ts";
import { recorded } from "../../run/list-runs.ts";

export interface RunTail {
  /** Reads what was appended. */
  refresh(journal: Journal): Promise<void>;
  view(): RunView;
  events(): readonly Recorded[];
  /** The process that drives the run, as of the newest refresh. */
  owner(): number | null;
}

export function runTail(run: string): RunTail {
  let view = emptyView(run);
  let owner: number | null = null;
  const events: Recorded[] = [];
  let reading: Promise<void> = Promise.resolve();
  return {
    refresh(journal) {
      const next = reading.then(async () => {
        const added = (await journal.read(run, view.seq)).map(recorded);
        if (added.length > 0) view = foldView(view, added);
        for (const event of added) events.push(event);
        owner = (await journal.owner(run))?.pid ?? null;
      });
      reading = next.catch(() => undefined);
      return next;
    },
    view: () => view,
    events: () => events,
    owner: () => owner,
  };
}
