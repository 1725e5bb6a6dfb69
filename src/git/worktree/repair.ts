import { existsSync } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../repository.ts";
import { realFolder, registrations } from "./worktree-folder.ts";

export interface BrokenWorktree {
  readonly path: string;
  /** `unfinished`: its creation was interrupted; `folder_gone`: only git's record is left; `unregistered`: only an empty folder. */
  readonly problem: "unfinished" | "folder_gone" | "unregistered";
}

/**
 * Worktrees in Mettle's folder that a crash left incomplete. Must not run while another process adds one there. Excludes
 * unregistered folders with files, which may be work.
 */
export async function brokenWorktrees(
  repository: Repository,
  below: string,
): Promise<readonly BrokenWorktree[]> {
  const folder = await realFolder(below);
  const known = await registrations(repository, folder);
  const broken = known.flatMap(({ path, isUnfinished }): BrokenWorktree[] => {
    if (isUnfinished) return [{ path, problem: "unfinished" }];
    return existsSync(path) ? [] : [{ path, problem: "folder_gone" }];
  });
  const strays = await unregisteredFolders(folder, new Set(known.map(({ path }) => path)));
  return [
    ...broken,
    ...strays
      .filter(({ isEmpty }) => isEmpty)
      .map(({ path }): BrokenWorktree => ({ path, problem: "unregistered" })),
  ];
}

/** Folders with files but without a worktree record. */
export async function strayFolders(repository: Repository, below: string): Promise<readonly string[]> {
  const folder = await realFolder(below);
  const known = new Set((await registrations(repository, folder)).map(({ path }) => path));
  return (await unregisteredFolders(folder, known)).filter(({ isEmpty }) => !isEmpty).map(({ path }) => path);
}

/** Removes a folder if it is empty. */
export async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {}); // not empty, or deleted already
}

interface UnregisteredFolder {
  readonly path: string;
  readonly isEmpty: boolean;
}

// `<run>/<worktree>` and one spare level.
const maxDepth = 3;

async function unregisteredFolders(
  folder: string,
  known: ReadonlySet<string>,
  depth = 1,
): Promise<readonly UnregisteredFolder[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // nothing was created here
  const found: UnregisteredFolder[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || known.has(path)) continue;
    const inside = await readdir(path, { withFileTypes: true });
    const isEmpty = inside.every(({ name }) => name === ".git");
    const isContainer =
      !isEmpty && depth < maxDepth && inside.every((inner) => inner.isDirectory() && inner.name !== ".git");
    found.push(...(isContainer ? await unregisteredFolders(path, known, depth + 1) : [{ path, isEmpty }]));
  }
  return found;
}
