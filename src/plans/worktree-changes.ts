/** What the branch of a prompt changes against its feature branch, with all that is not committed yet. */
import { git, text, tryGit } from "../git/git.ts";
import { readRef } from "../git/refs.ts";
import { headsPrefix, inStore, type Repository } from "../git/repository.ts";
import { snapshot } from "../git/snapshot.ts";
import { changedPaths } from "../git/tree.ts";
import { worktreeOf } from "./worktree.ts";

/** Paths; none where there is neither a worktree nor a branch. */
export async function changesOf(
  repository: Repository,
  of: { readonly feature: string; readonly branch: string },
): Promise<readonly string[]> {
  const feature = headsPrefix + of.feature;
  const worktree = await worktreeOf(repository, of.branch);
  const head = worktree?.commit ?? (await readRef(repository, headsPrefix + of.branch));
  if (head === null) return [];
  const base = await tryGit(inStore(repository), ["merge-base", feature, head]);
  // Without a common commit, or without the feature branch, all of it is new.
  const from = base.exitCode === 0 ? text(base.stdout) : await emptyTree(repository);
  const changed =
    worktree === null
      ? await changedPaths(repository, { from, to: head })
      : (await snapshot(repository, { workspace: worktree.path, base: from })).changed;
  return changed.map(({ path }) => path);
}

async function emptyTree(repository: Repository): Promise<string> {
  return text(await git(inStore(repository), ["mktree"], { input: "" }));
}
