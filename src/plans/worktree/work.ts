/** Reads the work on a prompt: the commits of its branch and the uncommitted changes of its worktree. */
import { git, text } from "../../git/git.ts";
import { readRef } from "../../git/refs.ts";
import { headsPrefix, inStore, mergeBase, type Repository } from "../../git/repository.ts";
import { snapshot } from "../../git/objects/snapshot.ts";
import { changedPaths, treeOf, type ChangedPath } from "../../git/objects/tree.ts";
import { worktreeOf } from "./worktree.ts";

export interface WorktreeState {
  readonly branch: string;
  /** The path of the worktree; null without one. */
  readonly path: string | null;
  readonly isMain: boolean;
  readonly head: string;
  /** Includes uncommitted changes. */
  readonly tree: string;
  readonly isCommitted: boolean;
  /** The merge base with the feature branch; the empty tree without one. */
  readonly base: string;
  /** The changes from `base` to `tree`. */
  readonly changed: readonly ChangedPath[];
}

/** Null if there is neither a worktree nor a branch. */
export async function readWork(
  repository: Repository,
  of: { readonly feature: string; readonly branch: string },
): Promise<WorktreeState | null> {
  const { branch } = of;
  const worktree = await worktreeOf(repository, branch);
  const head = worktree?.commit ?? (await readRef(repository, headsPrefix + branch));
  if (head === null) return null;
  const common = await mergeBase(repository, headsPrefix + of.feature, head);
  // Without a merge base every file is new.
  const base = common ?? (await emptyTree(repository));
  const committed = await treeOf(repository, head);
  // The ignore rules are those of the branch itself, which may have added some.
  const tree =
    worktree === null
      ? committed
      : (await snapshot(repository, { workspace: worktree.path, base: head })).tree;
  return {
    branch,
    path: worktree?.path ?? null,
    isMain: worktree?.isMain ?? false,
    head,
    tree,
    isCommitted: tree === committed,
    base,
    changed: await changedPaths(repository, { from: base, to: tree }),
  };
}

async function emptyTree(repository: Repository): Promise<string> {
  return text(await git(inStore(repository), ["mktree"], { input: "" }));
}
