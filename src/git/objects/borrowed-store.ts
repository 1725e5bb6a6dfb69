/**
 * A separate store that shares a repository's objects and copies its refs. Writes go to the store's folder, so the
 * repository never changes.
 */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { initWithAlternates } from "../checkout/clean-checkout.ts";
import { git } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";

/** @param folder created by this call */
export async function borrowStore(repository: Repository, folder: string): Promise<Repository> {
  const { gitDir } = repository;
  const args = ["for-each-ref", "--format=%(objectname) %(refname)"];
  const refs = (await git(inStore(repository), args)).toString("utf8");
  await initWithAlternates(repository, folder, /^[0-9a-f]{64} /.test(refs));
  await writeFile(join(folder, "packed-refs"), `# pack-refs with: sorted\n${refs}`);
  const shallow = await readFile(join(gitDir, "shallow"), "utf8").catch(() => null); // missing in a full clone
  if (shallow !== null) await writeFile(join(folder, "shallow"), shallow);
  // Submodules and LFS content are read in their original place.
  for (const name of ["modules", "lfs"]) await symlink(join(gitDir, name), join(folder, name));
  return { ...repository, gitDir: folder };
}

export async function isShallow({ gitDir }: Repository): Promise<boolean> {
  return (await readFile(join(gitDir, "shallow"), "utf8").catch(() => "")) !== ""; // missing in a full clone
}
