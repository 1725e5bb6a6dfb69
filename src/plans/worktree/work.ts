/** What stands on the branch of a prompt: its commits, and all that its worktree holds beside them. */
import { git, text } from "../../git/git.ts";
import { readRef } from "../../git/refs.ts";
import { headsPrefix, inStore, mergeBase, type Repository } from "../../git/repository.ts";
import { snapshot } from "../../git/objects/snapshot.ts";
import { changedPaths, treeOf, type ChangedPath } from "../../git/objects/tree.ts";
import { worktreeOf } from "./worktree.ts";

export interface Work {
  readonly branch: string;
  /** Of the worktree; null where there is none. */
  readonly path: string | null;
  readonly isMain: boolean;
  readonly head: string;
  /** With what is not committed. */
  readonly tree: string;
  readonly isCommitted: boolean;
  /** The newest commit of the feature branch that it holds; the empty tree where it holds none. */
  readonly base: string;
  /** From the base to the tree. */
  readonly changed: readonly ChangedPath[];
}

/** Null where there is neither a worktree nor a branch. */
export async function readWork(
  repository: Repository,
  of: { readonly feature: string; readonly branch: string },
): Promise<Work | null> {
  const { branch } = of;
  const worktree = await worktreeOf(repository, branch);
  const head = worktree?.commit ?? (await readRef(repository, headsPrefix + branch));
  if (head === null) return null;
  const common = await mergeBase(repository, headsPrefix + of.feature, head);
  // Without a common commit, or without the feature branch, all of it is new.
  const base = common ?? (await emptyTree(repository));
  const committed = await treeOf(repository, head);
  // What is ignored is said by the branch itself, which may have begun to ignore what it makes.
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
