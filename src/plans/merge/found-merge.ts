/** Whether a branch is merged already, by whomever, and with which commit. */
import { git, text, tryGit } from "../../git/git.ts";
import { inStore, isAncestor, type Repository } from "../../git/repository.ts";

export interface FoundMerge {
  readonly commit: string;
  /** The feature branch before it. */
  readonly from: string;
}

/** Null where the branch holds commits that the feature branch does not. */
export async function foundMerge(
  repository: Repository,
  { feature, head }: { readonly feature: string; readonly head: string },
): Promise<FoundMerge | null> {
  if (!(await isAncestor(repository, { ancestor: head, of: feature }))) return null;
  const args = ["rev-list", "--merges", "--reverse", "--parents", `${head}..${feature}`];
  const lines = text(await git(inStore(repository), args)).split("\n");
  for (const line of lines) {
    const [commit = "", from = "", ...others] = line.split(" ");
    if (others.includes(head)) return { commit, from };
  }
  // Taken over without a commit of its own.
  const parent = await tryGit(inStore(repository), ["rev-parse", "--verify", "--quiet", `${head}^1`]);
  return { commit: head, from: parent.exitCode === 0 ? text(parent.stdout) : head };
}
