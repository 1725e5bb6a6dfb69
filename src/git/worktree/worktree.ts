import { lstat, mkdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { withoutFilters } from "../checkout/filters.ts";
import { fields, git } from "../git.ts";
import { headsPrefix, inStore, type Repository } from "../repository.ts";
import { register, registrations, removeFolder } from "./worktree-folder.ts";

export interface Worktree {
  readonly path: string;
  readonly commit: string | null;
  /** Without `refs/heads/`; null when detached. */
  readonly branch: string | null;
  readonly isMain: boolean;
  /** Its folder is missing. */
  readonly prunable: boolean;
  readonly locked: boolean;
}

const maxAttempts = 5;

/**
 * Creates a detached worktree of a commit at a new path. Does not write the shared configuration, runs no hook or filter,
 * and checks out all files even if the user's checkout is sparse. Returns the real path.
 */
export async function addWorktree(
  repository: Repository,
  at: { path: string; commit: string },
): Promise<string> {
  await mkdir(dirname(at.path), { recursive: true });
  const path = join(await realpath(dirname(at.path)), basename(at.path));
  const settings = ["core.sparseCheckout=false", ...(await withoutFilters(repository))];
  for (let attempt = 1; ; attempt += 1) {
    // Claims the path: a second process fails here without harm.
    await mkdir(path).catch((cause: unknown) =>
      Promise.reject(worktreeFailed(path, "something is there already", cause)),
    );
    const failure = await createCheckout(repository, { path, commit: at.commit, settings });
    if (failure === null) return path;
    await removeFolder(repository, path);
    if (attempt === maxAttempts) throw worktreeFailed(path, failure);
    await systemClock.sleep(50 * attempt);
  }
}

interface CheckoutOptions {
  readonly path: string;
  readonly commit: string;
  readonly settings: readonly string[];
}

/** Uses one process, where `git worktree add` starts two more. Returns the failure, or null. */
async function createCheckout(
  repository: Repository,
  { path, commit, settings }: CheckoutOptions,
): Promise<string | null> {
  try {
    const admin = await ((await hasFileRefs(repository)) ? register : registerByGit)(repository, {
      path,
      commit,
    });
    const place = { path: repository.path, gitDir: admin, cwd: path };
    await git(place, ["read-tree", "--reset", "-u", commit], { settings, workTree: path });
    await rm(join(admin, "locked"), { force: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Removes a worktree with all its files, if it exists. The caller rescues work first. */
export const removeWorktree = removeFolder;

/** False with reftable, which also stores the HEAD of worktrees, and which only git can write. */
async function hasFileRefs({ gitDir }: Repository): Promise<boolean> {
  return (await lstat(join(gitDir, "reftable")).catch(() => null)) === null; // no reftable
}

async function registerByGit(
  repository: Repository,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<string> {
  const args = ["worktree", "add", "--detach", "--no-checkout", "--quiet", path, commit];
  await git(inStore(repository), args);
  const [made] = await registrations(repository, path);
  if (made === undefined) throw new Error("git has made no worktree");
  return made.admin;
}

export async function listWorktrees(repository: Repository): Promise<readonly Worktree[]> {
  const output = await git(inStore(repository), ["worktree", "list", "--porcelain", "-z"]);
  const blocks: string[][] = [[]];
  for (const line of fields(output)) {
    if (line === "") blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0).map(parse);
}

function parse(block: readonly string[], index: number): Worktree {
  const value = (name: string) =>
    block.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
  const has = (name: string) => block.some((line) => line === name || line.startsWith(`${name} `));
  return {
    path: value("worktree") ?? "",
    commit: value("HEAD"),
    branch: value("branch")?.slice(headsPrefix.length) ?? null,
    isMain: index === 0,
    prunable: has("prunable"),
    locked: has("locked"),
  };
}

function worktreeFailed(path: string, why: string, cause?: unknown): AppError {
  return new AppError("worktree_failed", `no worktree could be made at ${path}: ${why}`, {
    hint: "Check free space and permissions, run `mettle clean`, then the same command again.",
    retry: "safe",
    cause,
  });
}
