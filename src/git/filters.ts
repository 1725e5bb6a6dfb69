import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fields, tryGit } from "./git.ts";
import { inStore, type Repository } from "./repository.ts";

/**
 * Settings that switch off every clean and smudge filter of the repository's configuration, so that a checkout holds
 * what its blobs say and a snapshot stores what the files say.
 */
export async function withoutFilters(repository: Repository): Promise<readonly string[]> {
  if (!(await mayHaveFilters(repository))) return [];
  const found = await tryGit(inStore(repository), [
    "config",
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

/** Most repositories have none, and reading two files is quicker than starting git. */
async function mayHaveFilters(repository: Repository): Promise<boolean> {
  const files = ["config", "config.worktree"].map((name) => join(repository.gitDir, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => ""))); // the second is rare
  return texts.some((content) => /filter|include/i.test(content));
}
