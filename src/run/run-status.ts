/**
 * Where a run stands, for a command that only looks. The whole view of a long run is megabytes; what is shown of it is not,
 * so that is kept apart, and read back while nothing was appended and nobody works on the run.
 */
import type { Journal } from "../journal/journal.ts";
import type { Repository } from "../git/repository.ts";
import { runStatus, type RunStatus } from "../views/run/status.ts";
import { laterCommit, leftBy, movedBranch, type Left, type Tips } from "./later-commit.ts";
import { foldRun } from "./list-runs.ts";

const cache = "run-status-6";

/** Without a repository nothing is known of what its branches hold. */
export interface Branches {
  readonly repository: Repository;
  readonly tips: Tips;
}

interface Kept {
  readonly status: RunStatus;
  readonly left: Left;
}

export async function statusOfRun(
  journal: Journal,
  run: string,
  branches: Branches | null = null,
): Promise<RunStatus> {
  const owner = (await journal.owner(run))?.pid ?? null;
  if (owner === null) {
    const { status, left } = await keptStatus(journal, run);
    if (branches === null || movedBranch(branches.tips, left) === null) return status;
  }
  const view = await foldRun(journal, run);
  const later = branches && (await laterCommit(branches.repository, view, branches.tips));
  return runStatus(view, { owner, later });
}

async function keptStatus(journal: Journal, run: string): Promise<Kept> {
  const cached = await journal.readView(run, cache);
  // What this program stored has the shape it was stored with.
  if (cached !== null && cached.seq === (await journal.head(run))) return cached.value as Kept;
  const view = await foldRun(journal, run);
  const kept: Kept = { status: runStatus(view, { owner: null }), left: leftBy(view) };
  await journal.writeView(run, cache, view.seq, kept);
  return kept;
}

export function isOver({ status }: RunStatus): boolean {
  return status === "complete" || status === "halted" || status === "failed";
}
