/**
 * Where a run stands, for a command that only looks. The whole view of a long run is megabytes; what is shown of it is not,
 * so that is kept apart, and read back while nothing was appended and nobody works on the run.
 */
import type { Journal } from "../journal/journal.ts";
import { runStatus, type RunStatus } from "../views/status.ts";
import { foldRun } from "./list-runs.ts";

const cache = "run-status-1";

export async function statusOfRun(journal: Journal, run: string): Promise<RunStatus> {
  const owner = (await journal.owner(run))?.pid ?? null;
  if (owner !== null) return runStatus(await foldRun(journal, run), { owner });
  const cached = await journal.readView(run, cache);
  // What this program stored has the shape it was stored with.
  if (cached !== null && cached.seq === (await journal.head(run))) return cached.value as RunStatus;
  const view = await foldRun(journal, run);
  const status = runStatus(view, { owner });
  await journal.writeView(run, cache, view.seq, status);
  return status;
}

export function isOver({ status }: RunStatus): boolean {
  return status === "complete" || status === "halted" || status === "failed";
}
