/** Removes links that lead out of an agent's home: adapters are not confined and would write through them. */
import { readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../../process/sandbox/confinement.ts";

/** Levels of folders in which adapters write. */
const depth = 5;

/** Removes links to logins too; adapters create them again. */
export async function removeStrayLinks(home: string): Promise<void> {
  await clear(await realpath(home), { home: await realpath(home), left: depth });
}

async function clear(
  folder: string,
  { home, left }: { readonly home: string; readonly left: number },
): Promise<void> {
  if (left === 0) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await clear(path, { home, left: left - 1 });
    if (!entry.isSymbolicLink()) continue;
    const real = await realpath(path).catch(() => null); // a dangling link: a write would create its target
    if (real === null || !isBelow(real, home)) await rm(path, { force: true });
  }
}
