import { fields, tryGit } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

/**
 * Settings that switch off every clean and smudge filter of the repository's configuration, so that a checkout holds
 * what its blobs say and a snapshot stores what the files say.
 */
export async function withoutFilters(repository: Repository): Promise<readonly string[]> {
  const found = await tryGit(inStore(repository), [
    "config",
    "--local",
    "--name-only",
    "-z",
    "--get-regexp",
    "^filter\\.",
  ]);
  const names = new Set(fields(found.stdout).map((key) => key.slice(0, key.lastIndexOf("."))));
  return [...names].flatMap((name) => [
    `${name}.clean=`,
    `${name}.smudge=`,
    `${name}.process=`,
    `${name}.required=false`,
  ]);
}
