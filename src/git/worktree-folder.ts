import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Repository } from "./repository.ts";

/** The two halves of a worktree: its folder, and what git keeps about it below `.git/worktrees/`. */
export interface Registration {
  /** `.git/worktrees/<name>`. */
  readonly admin: string;
  /** Where its folder is, or was. */
  readonly path: string;
}

/** What git has on record below a folder, readable or not, complete or not. */
export async function registrations(repository: Repository, below: string): Promise<readonly Registration[]> {
  const folder = join(repository.gitDir, "worktrees");
  const names = await readdir(folder).catch(() => []); // no worktree was ever made
  const found = await Promise.all(
    names.map(async (name) => {
      const admin = join(folder, name);
      const pointer = await readFile(join(admin, "gitdir"), "utf8").catch(() => null); // half-created
      return pointer === null ? [] : [{ admin, path: dirname(pointer.trimEnd()) }];
    }),
  );
  return found.flat().filter(({ path }) => path === below || path.startsWith(below + sep));
}

/** Removes both halves, whichever exist. */
export async function removeFolder(repository: Repository, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  for (const { admin } of await registrations(repository, path))
    await rm(admin, { recursive: true, force: true });
}
