import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { judgeRefs, type RefVerdict } from "./clean-refs.ts";
import {
  findWorktrees,
  isReachable,
  judgeWorktree,
  type WorktreeVerdict,
} from "./worktree/clean-worktrees.ts";
import { staleLocks } from "./locks.ts";
import { deleteRef } from "./refs.ts";
import { removeEmpty } from "./worktree/repair.ts";
import type { Repository } from "./repository.ts";
import { rescue, type Rescued, type RescueOptions } from "./rescue.ts";
import { removeFolder } from "./worktree/worktree-folder.ts";

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
  const worktrees: WorktreeVerdict[] = [];
  for (const found of await findWorktrees(repository, { worktreesDir, ended })) {
    worktrees.push(await judgeWorktree(repository, found));
  }
  const locks = await staleLocks(repository, { worktreesDir, runs: ended, nowMs });
  return { worktrees, refs: await judgeRefs(repository, ended), locks };
}

/** Judges each worktree just before it goes, then the refs, which go only from where they stood. */
export async function cleanUp(repository: Repository, options: CleanOptions): Promise<Cleaned> {
  const { worktreesDir, nowMs } = options;
  const ended = new Set(options.endedRuns);
  const kept: string[] = [];
  const rescued: Rescued[] = [];
  const removed = [...(await staleLocks(repository, { worktreesDir, runs: ended, nowMs }))];
  for (const path of removed) await rm(path, { force: true });

  for (const found of await findWorktrees(repository, { worktreesDir, ended })) {
    const verdict = await judgeWorktree(repository, found);
    const work = await workToRescue(repository, verdict, options);
    if (work === "stays") {
      kept.push(found.path);
      continue;
    }
    const saved = work === null ? null : await rescue(repository, work);
    if (saved !== null) rescued.push(saved);
    await removeFolder(repository, found.path);
    await removeEmpty(dirname(found.path));
    removed.push(found.path);
  }
  for (const { type, ref, commit } of await judgeRefs(repository, ended)) {
    const isGone = type === "remove" && (await deleteRef(repository, { ref, from: commit }));
    (isGone ? removed : kept).push(ref);
  }
  return { removed, kept, rescued };
}

/** What must be rescued before the worktree goes, if anything, or that it stays. */
async function workToRescue(
  repository: Repository,
  verdict: WorktreeVerdict,
  options: CleanOptions,
): Promise<RescueOptions | null | "stays"> {
  const { run, path, commit } = verdict;
  const call = { run, key: `clean-${basename(path)}`, dateMs: options.nowMs };
  if (verdict.type === "keep") {
    if (verdict.why !== "dirty" || options.dirty !== "rescue" || commit === null) return "stays";
    return {
      ...call,
      work: { workspace: path, base: commit },
      reason: "mettle clean: files that were in no commit",
    };
  }
  if (commit === null || (await isReachable(repository, commit))) return null;
  return { ...call, work: { commit }, reason: "mettle clean: no ref led to this commit" };
}
