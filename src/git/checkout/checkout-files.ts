import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filtersInCheckout } from "./filters.ts";
import { fields, git } from "../git.ts";
import { asUser, type Repository } from "../repository.ts";

/**
 * The tracked and the new, unignored files of the checkout where the repository was opened, sorted. Files in other
 * worktrees, nested repositories, `node_modules` and behind links are excluded; links and deleted files may be included.
 * Files with a git filter are excluded too, because they are decrypted on disk and only for their owner.
 * @param patterns git pathspecs, case-insensitive: `**\/*.md`
 */
export async function checkoutFiles(
  repository: Repository,
  patterns: readonly string[] = [],
): Promise<readonly string[]> {
  const files = await allCheckoutFiles(repository, patterns);
  const filters = await filtersInCheckout(repository, files);
  return files.filter((path) => !filters.has(path));
}

/** Like `checkoutFiles`, including files with a filter, for callers that only need paths. */
export async function allCheckoutFiles(
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
  // Git also lists a tracked file whose folder was replaced by a link.
  const folders = [...new Set(files.map(dirname))];
  const isReal = await Promise.all(
    folders.map(async (folder) => {
      const place = join(repository.checkout, folder);
      return (await realpath(place).catch(() => null)) === place; // a deleted folder is empty
    }),
  );
  const real = new Set(folders.filter((_folder, at) => isReal[at] === true));
  return [...new Set(files)].filter((path) => real.has(dirname(path))).toSorted();
}
