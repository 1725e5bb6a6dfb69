/** The read model of a run: the cached view plus a fold of newer events (CORE-92). */
import type { Journal, StoredEvent } from "../journal/journal.ts";
import type { Recorded } from "../log/run-event.ts";
import { emptyView, foldView, type RunView } from "../log/run-view.ts";

const cache = "run-view-9";
/** Events that take longer to fold again than the view of a long run, of megabytes, takes to write. */
const worthKeeping = 100;

export async function foldRun(journal: Journal, run: string): Promise<RunView> {
  const cached = await journal.readView(run, cache);
  const start = cached === null ? emptyView(run) : (cached.value as RunView);
  const events = await journal.read(run, start.seq);
  if (events.length === 0) return start;
  const view = foldView(start, events.map(recorded));
  if (events.length >= worthKeeping) await journal.writeView(run, cache, view.seq, view);
  return view;
}

export async function foldRuns(journal: Journal): Promise<readonly RunView[]> {
  return foldEach(journal, await journal.runs());
}

/** The runs that have not ended. */
export async function foldOpenRuns(journal: Journal): Promise<readonly RunView[]> {
  const views = await foldEach(journal, await journal.openRuns());
  return views.filter(({ ended }) => ended === null);
}

/** Ids of the runs that ended, oldest first. */
export async function endedRuns(journal: Journal): Promise<readonly string[]> {
  const runs = await journal.runs();
  // Read second: a run that starts meanwhile is in neither list, and never taken for an ended one.
  const open = new Set(await journal.openRuns());
  return runs.filter((run) => !open.has(run));
}

async function foldEach(journal: Journal, runs: readonly string[]): Promise<readonly RunView[]> {
  const views: RunView[] = [];
  for (const run of runs) views.push(await foldRun(journal, run));
  return views;
}

/** The journal contains only checked rows that this program wrote, so the shape is trusted. */
export function recorded(stored: StoredEvent): Recorded {
  return { ...(stored.data as object), type: stored.type, seq: stored.seq, at: stored.at } as Recorded;
}
