/**
 * A store of one's own that reads a repository's: its objects are borrowed, its refs copied. What is written goes to the folder
 * of the store, so that the repository stays as it is, whatever happens.
 */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeBorrowing } from "../checkout/clean-checkout.ts";
import { git } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";

/** @param folder made anew */
export async function borrowStore(repository: Repository, folder: string): Promise<Repository> {
  const { gitDir } = repository;
  const args = ["for-each-ref", "--format=%(objectname) %(refname)"];
  const refs = (await git(inStore(repository), args)).toString("utf8");
  await makeBorrowing(repository, folder, /^[0-9a-f]{64} /.test(refs));
  await writeFile(join(folder, "packed-refs"), `# pack-refs with: sorted\n${refs}`);
  const shallow = await readFile(join(gitDir, "shallow"), "utf8").catch(() => null); // a whole clone
  if (shallow !== null) await writeFile(join(folder, "shallow"), shallow);
  // Read where they are: submodules, and content that LFS keeps.
  for (const name of ["modules", "lfs"]) await symlink(join(gitDir, name), join(folder, name));
  return { ...repository, gitDir: folder };
}

export async function isShallow({ gitDir }: Repository): Promise<boolean> {
  return (await readFile(join(gitDir, "shallow"), "utf8").catch(() => "")) !== ""; // a whole clone
}
