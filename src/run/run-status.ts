/**
 * The status of a run for read-only commands. The view of a long run takes megabytes, its status does not: the status is
 * cached separately and used while the journal is unchanged and no process owns the run.
 */
import type { Journal } from "../journal/journal.ts";
import type { RunView } from "../log/run-view.ts";
import type { Repository } from "../git/repository.ts";
import { runStatus, type RunStatus } from "../views/run/status.ts";
import { laterCommit, branchStateOf, movedBranch, type BranchState, type Tips } from "./later-commit.ts";
import { foldRun } from "./list-runs.ts";

const cache = "run-status-8";

/** The repository and branch tips to compare with; without them moved branches are not detected. */
export interface Branches {
  readonly repository: Repository;
  readonly tips: Tips;
}

interface CachedStatus extends RunOverview {
  readonly left: BranchState;
}

export interface RunOverview {
  readonly status: RunStatus;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export async function statusOfRun(
  journal: Journal,
  run: string,
  branches: Branches | null = null,
): Promise<RunStatus> {
  const owner = (await journal.owner(run))?.pid ?? null;
  if (owner === null) {
    const { status, left } = await cachedStatus(journal, run);
    if (branches === null || movedBranch(branches.tips, left) === null) return status;
  }
  const view = await foldRun(journal, run);
  const later = branches && (await laterCommit(branches.repository, view, branches.tips));
  return runStatus(view, { owner, later });
}

/** The status of a run without its branches, and when it began and ended. */
export async function overviewOfRun(journal: Journal, run: string): Promise<RunOverview> {
  const owner = (await journal.owner(run))?.pid ?? null;
  if (owner === null) return cachedStatus(journal, run);
  const view = await foldRun(journal, run);
  return overviewOf(view, owner);
}

function overviewOf(view: RunView, owner: number | null): RunOverview {
  const { started, ended } = view;
  return {
    status: runStatus(view, { owner }),
    startedAt: started?.at ?? null,
    endedAt: ended?.at ?? null,
  };
}

async function cachedStatus(journal: Journal, run: string): Promise<CachedStatus> {
  const cached = await journal.readView(run, cache);
  // Only this program writes the cache, so the shape is trusted.
  if (cached !== null && cached.seq === (await journal.head(run))) return cached.value as CachedStatus;
  const view = await foldRun(journal, run);
  const kept: CachedStatus = { ...overviewOf(view, null), left: branchStateOf(view) };
  await journal.writeView(run, cache, view.seq, kept);
  return kept;
}

export function isOver({ status }: RunStatus): boolean {
  return status === "complete" || status === "halted" || status === "failed";
}
