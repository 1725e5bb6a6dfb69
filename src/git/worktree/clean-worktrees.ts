import { relative, sep } from "node:path";
import { assertNever } from "../../lib/assert-never.ts";
import { AppError } from "../../lib/errors.ts";
import { git, text } from "../git.ts";
import { brokenWorktrees, strayFolders, type BrokenWorktree } from "./repair.ts";
import { inStore, type Repository } from "../repository.ts";
import { snapshot } from "../objects/snapshot.ts";
import { realFolder } from "./worktree-folder.ts";
import { listWorktrees } from "./worktree.ts";

/** A worktree or its remains, without reading its files. */
export interface WorktreeEntry {
  readonly run: string;
  readonly path: string;
  /** Its HEAD; null if git does not know it. */
  readonly commit: string | null;
  readonly state: "whole" | "running" | "stray" | BrokenWorktree["problem"];
}

export type WorktreeVerdict = WorktreeEntry &
  (
    | { readonly type: "remove" }
    /** `unreadable`: it has files, and git cannot determine which of them are work. */
    | { readonly type: "keep"; readonly why: "running" | "unreadable" }
    /** It has uncommitted work. */
    | { readonly type: "keep"; readonly why: "dirty"; readonly changed: readonly string[] }
  );

/** All worktrees below the folder, sorted by path. The first folder of the relative path is the run's id. */
export async function findWorktrees(
  repository: Repository,
  options: { readonly worktreesDir: string; readonly ended: ReadonlySet<string> },
): Promise<readonly WorktreeEntry[]> {
  const folder = await realFolder(options.worktreesDir);
  const registered = (await listWorktrees(repository)).filter(({ path }) => path.startsWith(folder + sep));
  const found = new Map<string, WorktreeEntry>();
  for (const { path, commit } of registered) {
    const run = relative(folder, path).split(sep)[0] ?? "";
    found.set(path, { run, path, commit, state: options.ended.has(run) ? "whole" : "running" });
  }
  for (const run of options.ended) {
    const place = `${folder}${sep}${run}`;
    for (const { path, problem } of await brokenWorktrees(repository, place)) {
      found.set(path, { run, path, commit: found.get(path)?.commit ?? null, state: problem });
    }
    for (const path of await strayFolders(repository, place)) {
      found.set(path, { run, path, commit: null, state: "stray" });
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Compares the files themselves, so that index flags cannot hide work. */
export async function judgeWorktree(repository: Repository, found: WorktreeEntry): Promise<WorktreeVerdict> {
  switch (found.state) {
    case "running":
      return { ...found, type: "keep", why: "running" };
    case "stray":
      return { ...found, type: "keep", why: "unreadable" };
    case "unfinished":
    case "folder_gone":
    case "unregistered":
      return { ...found, type: "remove" };
    case "whole": {
      const changed = await changedIn(repository, found);
      if (changed === null) return { ...found, type: "keep", why: "unreadable" };
      if (changed.length === 0) return { ...found, type: "remove" };
      return { ...found, type: "keep", why: "dirty", changed };
    }
    default:
      return assertNever(found.state);
  }
}

/** Whether the commit is reachable from any ref. */
export async function isReachable(repository: Repository, commit: string): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", `--contains=${commit}`];
  return text(await git(inStore(repository), args)) !== "";
}

async function changedIn(
  repository: Repository,
  { path, commit }: WorktreeEntry,
): Promise<readonly string[] | null> {
  if (commit === null) return null;
  try {
    const { changed, leftOut } = await snapshot(repository, { workspace: path, base: commit });
    return [...changed, ...leftOut].map((found) => found.path);
  } catch (error) {
    if (error instanceof AppError) return null; // one broken worktree must not block the cleanup of the others
    throw error;
  }
}
