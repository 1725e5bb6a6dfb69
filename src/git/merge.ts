import { fields, gitFailed, tryGit } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

export type MergeResult =
  | { readonly type: "clean"; readonly tree: string }
  | {
      readonly type: "conflict";
      readonly paths: readonly string[];
      /** With conflict markers in diff3 style, which includes the base text. */
      readonly tree: string;
    };

/** Merges two commits into a tree, without a working tree, index or ref. */
export async function mergeTrees(
  repository: Repository,
  sides: { ours: string; theirs: string },
): Promise<MergeResult> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", sides.ours, sides.theirs];
  // The other style shrinks hunks: it would move the closing brace of two added functions out of the conflict.
  const answer = await tryGit(inStore(repository), args, { settings: ["merge.conflictStyle=diff3"] });
  if (answer.exitCode > 1) throw gitFailed(args, answer);
  const [tree = "", ...paths] = fields(answer.stdout);
  return answer.exitCode === 0 ? { type: "clean", tree } : { type: "conflict", tree, paths };
}
