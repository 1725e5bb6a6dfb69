import { relative, sep } from "node:path";
import { AppError } from "../lib/errors.ts";
import { text, git } from "./git.ts";
import { halfWorktrees, strayFolders, type HalfWorktree } from "./repair.ts";
import { inStore, type Repository } from "./repository.ts";
import { snapshot } from "./snapshot.ts";
import { realFolder } from "./worktree-folder.ts";
import { listWorktrees } from "./worktree.ts";

export type WorktreeVerdict = WorktreeOf &
  (
    | { readonly type: "remove"; readonly why: "ended" | HalfWorktree["problem"] }
    /** `unreadable`: it holds files, and git cannot tell which of them are work. */
    | { readonly type: "keep"; readonly why: "running" | "unreadable" }
    /** It holds work that is in no commit. */
    | { readonly type: "keep"; readonly why: "dirty"; readonly changed: readonly string[] }
  );

interface WorktreeOf {
  readonly run: string;
  readonly path: string;
  /** Its HEAD; null where git does not know. */
  readonly commit: string | null;
}

export async function judgeWorktrees(
  repository: Repository,
  options: { readonly worktreesDir: string; readonly ended: ReadonlySet<string> },
): Promise<readonly WorktreeVerdict[]> {
  const folder = await realFolder(options.worktreesDir);
  const runOf = (path: string) => relative(folder, path).split(sep)[0] ?? "";
  const registered = (await listWorktrees(repository)).filter(({ path }) => path.startsWith(folder + sep));
  const commits = new Map(registered.map(({ path, commit }) => [path, commit]));

  const half: WorktreeVerdict[] = [];
  for (const run of options.ended) {
    const place = `${folder}${sep}${run}`;
    for (const { path, problem } of await halfWorktrees(repository, place)) {
      half.push({ type: "remove", run, path, commit: commits.get(path) ?? null, why: problem });
    }
    for (const path of await strayFolders(repository, place)) {
      half.push({ type: "keep", run, path, commit: null, why: "unreadable" });
    }
  }
  const broken = new Set(half.map(({ path }) => path));
  const whole: WorktreeVerdict[] = [];
  for (const { path, commit } of registered.filter((worktree) => !broken.has(worktree.path))) {
    const worktree = { run: runOf(path), path, commit };
    if (!options.ended.has(worktree.run)) whole.push({ ...worktree, type: "keep", why: "running" });
    else whole.push(await judgeWhole(repository, worktree));
  }
  return [...half, ...whole].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** By the files themselves: index flags cannot make work look committed. */
export async function judgeWhole(repository: Repository, worktree: WorktreeOf): Promise<WorktreeVerdict> {
  if (worktree.commit === null) return { ...worktree, type: "keep", why: "unreadable" };
  const changed = await changedIn(repository, { workspace: worktree.path, base: worktree.commit });
  if (changed === null) return { ...worktree, type: "keep", why: "unreadable" };
  if (changed.length === 0) return { ...worktree, type: "remove", why: "ended" };
  return { ...worktree, type: "keep", why: "dirty", changed: changed.map(({ path }) => path) };
}

async function changedIn(repository: Repository, of: { workspace: string; base: string }) {
  try {
    return (await snapshot(repository, of)).changed;
  } catch (error) {
    if (error instanceof AppError) return null; // one broken worktree must not keep the others from being cleaned
    throw error;
  }
}

/** Whether some ref leads to the commit. */
export async function isReachable(repository: Repository, commit: string): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", `--contains=${commit}`];
  return text(await git(inStore(repository), args)) !== "";
}
