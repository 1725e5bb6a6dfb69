/** Links in an agent's home that lead out of it: adapters would write through them, where nothing confines them. */
import { readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { isBelow } from "../../process/sandbox/confinement.ts";

/** As deep as an adapter writes. */
const depth = 5;

/** Links to logins go too; adapters make them anew. */
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
    const real = await realpath(path).catch(() => null); // what is written through it would be made
    if (real === null || !isBelow(real, home)) await rm(path, { force: true });
  }
}
