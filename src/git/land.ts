import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { commitTree } from "./commit.ts";
import { fields, git, gitFailed, tryGit, type GitPlace } from "./git.ts";
import { mergeTrees } from "./merge.ts";
import { fetchMissing } from "./partial-clone.ts";
import { readRef, updateRef } from "./refs.ts";
import { asUser, headsPrefix, isAncestor, statusPaths, type Repository } from "./repository.ts";
import { withScratch } from "./scratch.ts";
import { changedPaths } from "./tree.ts";
import { listWorktrees } from "./worktree.ts";

export interface LandOptions {
  /** The commit to take over. */
  readonly result: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Of the merge commit, where one is needed. */
  readonly message: { readonly subject: string; readonly trailers: Readonly<Record<string, string>> };
  readonly dateMs: number;
}

/** How a result would land. Nothing has moved yet, so that `to` can be verified first. */
export interface Landing {
  readonly type: "ready";
  readonly how: "fast-forward" | "merge";
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

export interface Refused {
  readonly type: "refused";
  readonly reason: "conflict" | "dirty" | "moved" | "busy";
  readonly branch: string;
  /** The files in conflict, or with changes that are not committed. */
  readonly paths: readonly string[];
  readonly why: string;
}

export type LandPlan =
  Landing | Refused | { readonly type: "landed_already"; readonly branch: string; readonly commit: string };
export type Landed = { readonly type: "landed"; readonly branch: string; readonly commit: string } | Refused;

/** Finds out how the result would land on the branch. Moves no ref and touches no file. */
export async function planLanding(repository: Repository, options: LandOptions): Promise<LandPlan> {
  const { branch, result } = options;
  const from = await readRef(repository, headsPrefix + branch);
  if (from === null) {
    throw new AppError("revision_unknown", `there is no branch ${JSON.stringify(branch)}`, {
      hint: "Name an existing branch; `git branch` lists them.",
    });
  }
  if (await isAncestor(repository, { ancestor: result, of: from }))
    return { type: "landed_already", branch, commit: from };
  const isAhead = await isAncestor(repository, { ancestor: from, of: result });
  if (!isAhead) await fetchMissing(repository, from);
  const merged = isAhead ? result : await mergeCommit(repository, { ...options, from });
  if (typeof merged !== "string") return refused("conflict", branch, merged.paths);

  const landing: Landing = {
    type: "ready",
    how: isAhead ? "fast-forward" : "merge",
    branch,
    from,
    to: merged,
  };
  const checkout = await checkoutOf(repository, branch);
  const dirty = checkout === null ? [] : await inTheWay(repository, checkout, landing);
  return dirty.length > 0 ? refused("dirty", branch, dirty) : landing;
}

/** Moves the branch, and the files of the checkout that has it; all or nothing. */
export async function land(repository: Repository, landing: Landing): Promise<Landed> {
  const { branch, from, to } = landing;
  const ref = headsPrefix + branch;
  const checkout = await checkoutOf(repository, branch);
  if (checkout === null) {
    const moved = await updateRef(repository, { ref, to, from });
    return moved ? { type: "landed", branch, commit: to } : refused("moved", branch, []);
  }
  if ((await readRef(repository, ref)) !== from) return refused("moved", branch, []);
  const dirty = await inTheWay(repository, checkout, landing);
  if (dirty.length > 0) return refused("dirty", branch, dirty);

  const args = [
    "merge",
    "--ff-only",
    "--no-overwrite-ignore",
    "--no-autostash",
    "--no-verify-signatures",
    "--no-stat",
    "--quiet",
    to,
  ];
  const answer = await tryGit(placeOf(repository, checkout), args);
  const now = await readRef(repository, ref);
  if (answer.exitCode === 0 && now === to) return { type: "landed", branch, commit: to };
  if (now !== from) return refused("moved", branch, []);
  return { ...refused("busy", branch, []), why: gitFailed(args, answer).message };
}

export function landError(outcome: Refused): AppError {
  const hints = {
    conflict: "Merge by hand, or resume the run on the branch as it is now.",
    dirty: "Commit or put aside your changes in these files, then land again.",
    moved: "The branch has moved meanwhile: land again.",
    busy: "Finish what git is doing in that checkout, then land again.",
  };
  return new AppError("land_refused", outcome.why, {
    hint: hints[outcome.reason],
    detail: { paths: outcome.paths },
  });
}

async function mergeCommit(
  repository: Repository,
  options: LandOptions & { readonly from: string },
): Promise<string | { readonly paths: readonly string[] }> {
  const merged = await mergeTrees(repository, { ours: options.from, theirs: options.result });
  if (merged.type === "conflict") return merged;
  return commitTree(repository, {
    tree: merged.tree,
    parents: [options.from, options.result],
    dateMs: options.dateMs,
    ...options.message,
  });
}

/** The top level of the checkout that has the branch; null where none has. */
export async function checkoutOf(repository: Repository, branch: string): Promise<string | null> {
  const found = (await listWorktrees(repository)).find(
    (worktree) => worktree.branch === branch && !worktree.prunable,
  );
  if (found === undefined) return null;
  return found.isMain ? repository.root : found.path;
}

/** Uncommitted content that landing would replace, seen by what is on disk, not by what index flags claim. */
async function inTheWay(
  repository: Repository,
  checkout: string,
  landing: Landing,
): Promise<readonly string[]> {
  const place = placeOf(repository, checkout);
  const touched = await changedPaths(repository, landing);
  const changed = new Set([
    ...(await statusPaths(place, checkout)),
    ...(await editedOnDisk(place, checkout, landing.from)),
  ]);
  const found = await Promise.all(
    touched.map(
      async ({ path, status }) =>
        changed.has(path) || (status === "added" && (await exists(join(checkout, path)))),
    ),
  );
  return touched.filter((_, index) => found[index] === true).map(({ path }) => path);
}

async function editedOnDisk(place: GitPlace, workTree: string, commit: string): Promise<readonly string[]> {
  return withScratch(async (dir) => {
    const call = { env: { GIT_INDEX_FILE: join(dir, "index") }, workTree };
    await git(place, ["read-tree", commit], call);
    await tryGit(place, ["update-index", "-q", "--refresh"], call); // says 1 when something is edited
    return fields(await git(place, ["diff-files", "-z", "--name-only", "--diff-filter=MT"], call));
  });
}

/** A checkout of the user's, as their own git sees it. */
export function placeOf(repository: Repository, checkout: string): GitPlace {
  return asUser(repository, {
    path: repository.path,
    gitDir: checkout === repository.root ? repository.gitDir : null,
    cwd: checkout,
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false, // ENOENT, or a parent that is no folder
  );
}

function refused(reason: Refused["reason"], branch: string, paths: readonly string[]): Refused {
  const whys = {
    conflict: `the result conflicts with ${branch} in ${paths.join(", ")}`,
    dirty: `${branch} is checked out with uncommitted changes in ${paths.join(", ")}`,
    moved: `${branch} has moved meanwhile`,
    busy: `git refuses to move ${branch}`,
  };
  return { type: "refused", reason, branch, paths, why: whys[reason] };
}
