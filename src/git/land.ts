import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { exists } from "../lib/files.ts";
import { commitTree } from "./objects/commit.ts";
import { fields, git, gitFailed, tryGit, type GitPlace } from "./git.ts";
import { mergeTrees } from "./merge.ts";
import { fetchMissing } from "./partial-clone.ts";
import { readRef, updateRef } from "./refs.ts";
import { asUser, headsPrefix, isAncestor, statusPaths, type Repository } from "./repository.ts";
import { withScratch } from "./scratch.ts";
import { changedPaths } from "./objects/tree.ts";
import { listWorktrees } from "./worktree/worktree.ts";

export interface LandOptions {
  /** The commit to land. */
  readonly result: string;
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Message of the merge commit, if one is needed. */
  readonly message: { readonly subject: string; readonly trailers: Readonly<Record<string, string>> };
  readonly dateMs: number;
}

/** How a result would land. No ref has moved yet, so that `to` can be verified first. */
export interface Landing {
  readonly type: "ready";
  readonly how: "fast-forward" | "merge";
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

export interface LandRefusal {
  readonly type: "refused";
  readonly reason: "conflict" | "dirty" | "moved" | "busy";
  readonly branch: string;
  /** Files with conflicts or uncommitted changes. */
  readonly paths: readonly string[];
  readonly why: string;
}

export type LandPlan =
  | Landing
  | LandRefusal
  | { readonly type: "landed_already"; readonly branch: string; readonly commit: string };
export type LandResult =
  { readonly type: "landed"; readonly branch: string; readonly commit: string } | LandRefusal;

/** Plans how the result would land on the branch, without moving refs or touching files. */
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
  const dirty = checkout === null ? [] : (await uncommitted(repository, checkout, landing)).blocking;
  return dirty.length > 0 ? refused("dirty", branch, dirty) : landing;
}

/** Moves the branch and the files of its checkout, atomically. */
export async function land(repository: Repository, landing: Landing): Promise<LandResult> {
  const { branch, from, to } = landing;
  const ref = headsPrefix + branch;
  const checkout = await checkoutOf(repository, branch);
  if (checkout === null) {
    const moved = await updateRef(repository, { ref, to, from });
    return moved ? { type: "landed", branch, commit: to } : refused("moved", branch, []);
  }
  if ((await readRef(repository, ref)) !== from) return refused("moved", branch, []);
  const { blocking: dirty, there: identical } = await uncommitted(repository, checkout, landing);
  if (dirty.length > 0) return refused("dirty", branch, dirty);

  const place = checkoutPlace(repository, checkout);
  const before = await stageResult(place, { paths: identical, from, to });
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
  const answer = await tryGit(place, args);
  const now = await readRef(repository, ref);
  if (answer.exitCode === 0 && now === to) return { type: "landed", branch, commit: to };
  await before.putBack();
  if (now !== from) return refused("moved", branch, []);
  return { ...refused("busy", branch, []), why: gitFailed(args, answer).message };
}

export function landError(outcome: LandRefusal): AppError {
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

/** The top level of the checkout with this branch, or null. */
export async function checkoutOf(repository: Repository, branch: string): Promise<string | null> {
  const found = (await listWorktrees(repository)).find(
    (worktree) => worktree.branch === branch && !worktree.prunable,
  );
  if (found === undefined) return null;
  return found.isMain ? repository.root : found.path;
}

interface Uncommitted {
  /** Paths with content that landing would replace. */
  readonly blocking: readonly string[];
  /** Paths that already equal the result, e.g. written by a session in the checkout. */
  readonly there: readonly string[];
}

/** Compares the files on disk and ignores index flags. */
async function uncommitted(repository: Repository, checkout: string, landing: Landing): Promise<Uncommitted> {
  const place = checkoutPlace(repository, checkout);
  const touched = await changedPaths(repository, landing);
  const changed = new Set([
    ...(await statusPaths(place, checkout)),
    ...(await editedOnDisk(place, checkout, landing.from)),
  ]);
  const found = await Promise.all(
    touched.map(async (change) => {
      const isThere = await exists(join(checkout, change.path));
      const isOpen = changed.has(change.path) || (change.status === "added" && isThere);
      return isOpen ? [{ ...change, isThere }] : [];
    }),
  );
  const open = found.flat();
  if (open.length === 0) return { blocking: [], there: [] };
  // Other staged content would be lost.
  const staged = await stagedAgainst(place, landing.from);
  const other = (await stagedAgainst(place, landing.to)).filter((path) => staged.includes(path));
  const different = new Set([...(await editedOnDisk(place, checkout, landing.to)), ...other]);
  const isAsResult = ({ path, status, isThere }: (typeof open)[number]): boolean =>
    !different.has(path) && isThere === (status !== "deleted");
  return {
    blocking: open.filter((change) => !isAsResult(change)).map(({ path }) => path),
    there: open.filter(isAsResult).map(({ path }) => path),
  };
}

/** Stages these paths as in the result, so that git does not touch their files. */
async function stageResult(
  place: GitPlace,
  { paths, from, to }: { readonly paths: readonly string[]; readonly from: string; readonly to: string },
): Promise<{ readonly putBack: () => Promise<void> }> {
  if (paths.length === 0) return { putBack: () => Promise.resolve() };
  const set = async (commit: string, of: readonly string[]): Promise<void> => {
    const input = of.map((path) => `${path}\0`).join("");
    const args = ["reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", commit];
    await tryGit(place, args, { input, env: { GIT_LITERAL_PATHSPECS: "1" } }); // the merge refuses what this leaves
  };
  const staged = await stagedAgainst(place, from);
  const own = paths.filter((path) => !staged.includes(path));
  await set(to, paths);
  return { putBack: () => (own.length === 0 ? Promise.resolve() : set(from, own)) };
}

async function stagedAgainst(place: GitPlace, commit: string): Promise<readonly string[]> {
  return fields(await git(place, ["diff-index", "--cached", "--name-only", "--no-renames", "-z", commit]));
}

async function editedOnDisk(place: GitPlace, workTree: string, commit: string): Promise<readonly string[]> {
  return withScratch(async (dir) => {
    const call = { env: { GIT_INDEX_FILE: join(dir, "index") }, workTree };
    await git(place, ["read-tree", commit], call);
    await tryGit(place, ["update-index", "-q", "--refresh"], call); // exits with 1 if files are edited
    return fields(await git(place, ["diff-files", "-z", "--name-only", "--diff-filter=MT"], call));
  });
}

/** A checkout with the user's settings. */
export function checkoutPlace(repository: Repository, checkout: string): GitPlace {
  return asUser(repository, {
    path: repository.path,
    gitDir: checkout === repository.root ? repository.gitDir : null,
    cwd: checkout,
  });
}

function refused(reason: LandRefusal["reason"], branch: string, paths: readonly string[]): LandRefusal {
  const reasons = {
    conflict: `the result conflicts with ${branch} in ${paths.join(", ")}`,
    dirty: `${branch} is checked out with uncommitted changes in ${paths.join(", ")}`,
    moved: `${branch} has moved meanwhile`,
    busy: `git refuses to move ${branch}`,
  };
  return { type: "refused", reason, branch, paths, why: reasons[reason] };
}
