import { fields, gitFailed, tryGit } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

export type Merged =
  | { readonly type: "clean"; readonly tree: string }
  | {
      readonly type: "conflict";
      readonly paths: readonly string[];
      /** With conflict markers in the files, and between them also what stood there before. */
      readonly tree: string;
    };

/** Merges two commits into a tree, without a working tree, an index or a ref. */
export async function mergeTrees(
  repository: Repository,
  sides: { ours: string; theirs: string },
): Promise<Merged> {
  const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", sides.ours, sides.theirs];
  // The other style makes hunks smaller: of two functions that begin in one place it takes their last brace out.
  const answer = await tryGit(inStore(repository), args, { settings: ["merge.conflictStyle=diff3"] });
  if (answer.exitCode > 1) throw gitFailed(args, answer);
  const [tree = "", ...paths] = fields(answer.stdout);
  return answer.exitCode === 0 ? { type: "clean", tree } : { type: "conflict", tree, paths };
}
