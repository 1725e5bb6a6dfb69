import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "./repository.ts";
import { realFolder, registrations } from "./worktree/worktree-folder.ts";

/** Git holds a lock for milliseconds: one this old is left over from a crash. */
const staleMs = 600_000;

/** Stale lock files of Mettle's refs and of the index files of these runs' worktrees. Other locks are the user's. */
export async function staleLocks(
  repository: Repository,
  options: { readonly worktreesDir: string; readonly runs: Iterable<string>; readonly nowMs: number },
): Promise<readonly string[]> {
  const folder = await realFolder(options.worktreesDir);
  const refs = ["refs/heads/mettle", "refs/mettle"].map((name) => filesBelow(join(repository.gitDir, name)));
  const admins = [...options.runs].map(async (run) =>
    (await registrations(repository, join(folder, run))).map(({ admin }) => join(admin, "index.lock")),
  );
  const candidates = (await Promise.all([...refs, ...admins]))
    .flat()
    .filter((path) => path.endsWith(".lock"));
  const stale = await Promise.all(candidates.map((path) => isStale(path, options.nowMs)));
  return candidates.filter((_, index) => stale[index] === true).sort();
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []); // no refs there
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function isStale(path: string, nowMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => null); // deleted meanwhile
  return found !== null && nowMs - found.mtimeMs > staleMs;
}
