import { existsSync } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../repository.ts";
import { realFolder, registrations, removeFolder } from "./worktree-folder.ts";

export interface HalfWorktree {
  readonly path: string;
  /** `unfinished`: git was stopped while it made it; `folder_gone`: only the record is left; `unregistered`: only an empty folder is. */
  readonly problem: "unfinished" | "folder_gone" | "unregistered";
}

/**
 * Worktrees below a folder of Mettle's that a crash left half-created. Nobody may be adding one there meanwhile.
 * A folder without record that holds files is not among them: it could be someone's work.
 */
export async function halfWorktrees(repository: Repository, below: string): Promise<readonly HalfWorktree[]> {
  const folder = await realFolder(below);
  const known = await registrations(repository, folder);
  const broken = known.flatMap(({ path, isUnfinished }): HalfWorktree[] => {
    if (isUnfinished) return [{ path, problem: "unfinished" }];
    return existsSync(path) ? [] : [{ path, problem: "folder_gone" }];
  });
  const strays = await unregistered(folder, new Set(known.map(({ path }) => path)));
  return [
    ...broken,
    ...strays
      .filter(({ isEmpty }) => isEmpty)
      .map(({ path }): HalfWorktree => ({ path, problem: "unregistered" })),
  ];
}

/** Folders with files that no worktree record speaks of. */
export async function strayFolders(repository: Repository, below: string): Promise<readonly string[]> {
  const folder = await realFolder(below);
  const known = new Set((await registrations(repository, folder)).map(({ path }) => path));
  return (await unregistered(folder, known)).filter(({ isEmpty }) => !isEmpty).map(({ path }) => path);
}

/** Removes what `halfWorktrees` finds, and returns it. Records of worktrees elsewhere are left alone. */
export async function repairWorktrees(
  repository: Repository,
  below: string,
): Promise<readonly HalfWorktree[]> {
  const found = await halfWorktrees(repository, below);
  for (const { path } of found) await removeFolder(repository, path);
  return found;
}

/** Removes a folder that holds nothing more. */
export async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {}); // it holds something, or is gone
}

interface Unregistered {
  readonly path: string;
  readonly isEmpty: boolean;
}

// `<run>/<worktree>`, and one level to spare.
const deepest = 3;

async function unregistered(
  folder: string,
  known: ReadonlySet<string>,
  depth = 1,
): Promise<readonly Unregistered[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []); // nothing was ever made here
  const found: Unregistered[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || known.has(path)) continue;
    const inside = await readdir(path, { withFileTypes: true });
    const isEmpty = inside.every(({ name }) => name === ".git");
    const isPlace =
      !isEmpty && depth < deepest && inside.every((inner) => inner.isDirectory() && inner.name !== ".git");
    found.push(...(isPlace ? await unregistered(path, known, depth + 1) : [{ path, isEmpty }]));
  }
  return found;
}
