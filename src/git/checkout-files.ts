import { fields, git } from "./git.ts";
import { atCheckout, type Repository } from "./repository.ts";

/**
 * The files of the checkout that a repository was opened from, tracked or new and not ignored, sorted. What lies in other
 * worktrees, in repositories within it and in `node_modules` is not among them; links and files that are gone may be.
 */
export async function checkoutFiles(
  repository: Repository,
  patterns: readonly string[] = [],
): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listed = await git(
    atCheckout(repository),
    [...args, "--", ...patterns.map((pattern) => `:(icase,glob)${pattern}`)],
    { workTree: repository.checkout },
  );
  const files = fields(listed).filter(
    (path) => !path.endsWith("/") && !path.split("/").includes("node_modules"),
  );
  return [...new Set(files)].toSorted();
}
