import { git } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";

/** The diff between two commits or trees as text, without the user's diff programs. */
export async function diffText(
  repository: Repository,
  range: { readonly from: string; readonly to: string },
): Promise<string> {
  const plain = ["--no-color", "--no-ext-diff", "--no-textconv", "--patch"];
  const text = await git(inStore(repository), ["diff-tree", "-r", ...plain, range.from, range.to]);
  return text.toString("utf8");
}
