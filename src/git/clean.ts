import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { judgeRefs, type RefVerdict } from "./clean-refs.ts";
import {
  findWorktrees,
  isReachable,
  judgeWorktree,
  type WorktreeVerdict,
} from "./worktree/clean-worktrees.ts";
import { deleteRef } from "./refs.ts";
import { removeEmpty } from "./worktree/repair.ts";
import type { Repository } from "./repository.ts";
import { rescue, type RescueResult, type RescueOptions } from "./rescue.ts";
import { realFolder, registrations, removeFolder } from "./worktree/worktree-folder.ts";

export interface CleanOptions {
  /** Contains one folder per run with the run's worktrees. */
  readonly worktreesDir: string;
  /** Only these runs are cleaned. */
  readonly endedRuns: readonly string[];
  /** A worktree with uncommitted work is kept (default), or rescued and removed. */
  readonly dirty?: "keep" | "rescue";
  readonly nowMs: number;
}

export interface CleanPlan {
  readonly worktrees: readonly WorktreeVerdict[];
  readonly refs: readonly RefVerdict[];
  readonly locks: readonly string[];
}

export interface CleanResult {
  /** Paths and ref names. */
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  readonly rescued: readonly RescueResult[];
}

/** Computes what `cleanUp` would do (`--dry-run`) without changes. */
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

/** Judges each worktree just before its removal, then the refs, which are removed only if they have not moved. */
export async function cleanUp(repository: Repository, options: CleanOptions): Promise<CleanResult> {
  const { worktreesDir, nowMs } = options;
  const ended = new Set(options.endedRuns);
  const kept: string[] = [];
  const rescued: RescueResult[] = [];
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

/** The work to rescue before the removal, null if there is none, or `stays` to keep the worktree. */
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

/** Git holds a lock for milliseconds: one this old is left over from a crash. */
const staleMs = 600_000;

/** Stale lock files of Mettle's refs and of the index files of these runs' worktrees. Other locks are the user's. */
async function staleLocks(
  repository: Repository,
  options: { readonly worktreesDir: string; readonly runs: Iterable<string>; readonly nowMs: number },
): Promise<readonly string[]> {
  const folder = await realFolder(options.worktreesDir);
  const refs = ["refs/heads/mettle", "refs/mettle"].map((name) => filesBelow(join(repository.gitDir, name)));
  const admins = [...options.runs].map(async (run) =>
    (await registrations(repository, join(folder, run))).map(({ admin }) => join(admin, "index.lock")),
  );
  const candidates = (await Promise.all([...refs, ...admins]))
    .flat()
    .filter((path) => path.endsWith(".lock"));
  const stale = await Promise.all(candidates.map((path) => isStale(path, options.nowMs)));
  return candidates.filter((_, index) => stale[index] === true).sort();
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []); // no refs there
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function isStale(path: string, nowMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => null); // deleted meanwhile
  return found !== null && nowMs - found.mtimeMs > staleMs;
}
