/** Gives a clean checkout its own copies of its objects, so that its git cannot read other commits of the user's repository. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";
import { submoduleMode, type TreeFile } from "../objects/tree.ts";

/** @param root folder of the checkout */
export async function ownObjects(
  repository: Repository,
  root: string,
  files: readonly TreeFile[],
): Promise<void> {
  const blobs = new Set(files.flatMap(({ mode, blob }) => (mode === submoduleMode ? [] : [blob])));
  const objects = join(root, ".git", "objects");
  if (blobs.size > 0) {
    const input = [...blobs].map((blob) => `${blob}\n`).join("");
    // Deltas are reused; none are searched.
    const args = ["pack-objects", "--quiet", "--threads=1", "--window=0", join(objects, "pack", "pack")];
    await git(inStore(repository), args, { input });
  }
  await rm(join(objects, "info", "alternates"), { force: true });
}
