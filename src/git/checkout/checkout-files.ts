import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filtersInCheckout } from "./filters.ts";
import { fields, git } from "../git.ts";
import { asUser, type Repository } from "../repository.ts";

/**
 * The files of the checkout that a repository was opened from, tracked or new and not ignored, sorted. What lies in other
 * worktrees, in repositories within it, in `node_modules` and behind links is not among them; links themselves and files
 * that are gone may be. Nor is a file that git stores through a filter: what only its owner may read is decrypted here.
 * @param patterns as git's pathspecs have them, in any case: `**\/*.md`
 */
export async function checkoutFiles(
  repository: Repository,
  patterns: readonly string[] = [],
): Promise<readonly string[]> {
  const files = await everyCheckoutFile(repository, patterns);
  const filters = await filtersInCheckout(repository, files);
  return files.filter((path) => !filters.has(path));
}

/** The same with files that have a filter, for whoever only looks at them. */
export async function everyCheckoutFile(
  repository: Repository,
  patterns: readonly string[] = [],
): Promise<readonly string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listed = await git(
    asUser(repository),
    [...args, "--", ...patterns.map((pattern) => `:(icase,glob)${pattern}`)],
    { workTree: repository.checkout },
  );
  const files = fields(listed).filter(
    (path) => !path.endsWith("/") && !path.split("/").includes("node_modules"),
  );
  // Git lists a tracked file also where a link took the place of its folder.
  const folders = [...new Set(files.map(dirname))];
  const isReal = await Promise.all(
    folders.map(async (folder) => {
      const place = join(repository.checkout, folder);
      return (await realpath(place).catch(() => null)) === place; // a folder that is gone holds nothing
    }),
  );
  const real = new Set(folders.filter((_folder, at) => isReal[at] === true));
  return [...new Set(files)].filter((path) => real.has(dirname(path))).toSorted();
}
