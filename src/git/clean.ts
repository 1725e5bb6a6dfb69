import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { assertNever } from "../lib/assert-never.ts";
import { judgeRefs, type RefVerdict } from "./clean-refs.ts";
import { isReachable, judgeWhole, judgeWorktrees, type WorktreeVerdict } from "./clean-worktrees.ts";
import { staleLocks } from "./locks.ts";
import { deleteRef } from "./refs.ts";
import { removeEmpty } from "./repair.ts";
import type { Repository } from "./repository.ts";
import { rescue, type Rescued, type RescueOptions } from "./rescue.ts";
import { removeFolder } from "./worktree-folder.ts";

export interface CleanOptions {
  /** Holds one folder per run, and in it the run's worktrees. */
  readonly worktreesDir: string;
  /** Everything of another run is left alone. */
  readonly endedRuns: readonly string[];
  /** What becomes of a worktree with work that is in no commit: it stays (default), or is rescued and then removed. */
  readonly dirty?: "keep" | "rescue";
  readonly nowMs: number;
}

export interface CleanPlan {
  readonly worktrees: readonly WorktreeVerdict[];
  readonly refs: readonly RefVerdict[];
  readonly locks: readonly string[];
}

export interface Cleaned {
  /** Paths and ref names. */
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly rescued: readonly Rescued[];
}

/** What `cleanUp` would do (`--dry-run`). Changes nothing. */
export async function planCleanUp(repository: Repository, options: CleanOptions): Promise<CleanPlan> {
  const { worktreesDir, nowMs } = options;
  const ended = new Set(options.endedRuns);
  return {
    worktrees: await judgeWorktrees(repository, { worktreesDir, ended }),
    refs: await judgeRefs(repository, ended),
    locks: await staleLocks(repository, { worktreesDir, runs: ended, nowMs }),
  };
}

/** Carries a plan out. A worktree is looked at again just before it goes, and a ref goes only from where it stood. */
export async function cleanUp(
  repository: Repository,
  plan: CleanPlan,
  options: CleanOptions,
): Promise<Cleaned> {
  const removed: string[] = [];
  const kept: string[] = [];
  const rescued: Rescued[] = [];
  for (const path of plan.locks) {
    await rm(path, { force: true });
    removed.push(path);
  }
  for (const planned of plan.worktrees) {
    const work = await workIn(repository, planned, options);
    if (work === "stays") {
      kept.push(planned.path);
      continue;
    }
    const saved = work === null ? null : await rescue(repository, work);
    if (saved !== null) rescued.push(saved);
    await removeFolder(repository, planned.path);
    await removeEmpty(dirname(planned.path));
    removed.push(planned.path);
  }
  for (const { type, ref, commit } of plan.refs) {
    const isGone = type === "remove" && (await deleteRef(repository, { ref, from: commit }));
    (isGone ? removed : kept).push(ref);
  }
  return { removed, kept, rescued };
}

/** What must be rescued before the worktree goes, if anything, or that it stays. */
async function workIn(
  repository: Repository,
  planned: WorktreeVerdict,
  options: CleanOptions,
): Promise<RescueOptions | null | "stays"> {
  const { run, path, commit } = planned;
  const work = { run, key: `clean-${basename(path)}`, dateMs: options.nowMs };
  const orphan = async (): Promise<RescueOptions | null> => {
    if (commit === null || (await isReachable(repository, commit))) return null;
    return { ...work, work: { commit }, reason: "mettle clean: no ref led to this commit" };
  };
  switch (planned.why) {
    case "running":
    case "unreadable":
      return "stays";
    case "unfinished":
    case "folder_gone":
    case "unregistered":
      return orphan();
    case "ended":
    case "dirty": {
      const now = await judgeWhole(repository, planned);
      if (now.type === "remove") return orphan();
      if (options.dirty !== "rescue" || commit === null) return "stays";
      return {
        ...work,
        work: { workspace: path, base: commit },
        reason: "mettle clean: files that were in no commit",
      };
    }
    default:
      return assertNever(planned);
  }
}
