import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import type { IgnoreRules } from "./ignored.ts";

/** What the base commit holds. Paths are latin1 strings. */
export interface Tracked {
  readonly files: ReadonlySet<string>;
  /** Every folder that holds something tracked. */
  readonly folders: ReadonlySet<string>;
  /** Path to its line of `git ls-tree`. A submodule is carried over as it is, whatever its folder holds. */
  readonly submodules: ReadonlyMap<string, string>;
}

/**
 * The files and symlinks of a workspace that count as work: all tracked ones that exist, and the untracked ones that
 * nothing ignores. Goes level by level, so that the ignore rules are asked once a level; never follows a link.
 */
export async function filesIn(
  workspace: string,
  rules: { tracked: Tracked; ignored: IgnoreRules },
): Promise<readonly string[]> {
  const files: string[] = [];
  let level: readonly Entry[] = [{ path: "", isFolder: true, onlyTracked: false }];
  while (level.length > 0) {
    const found = (await Promise.all(level.map((folder) => entriesOf(workspace, folder)))).flat();
    const taken = await selected(found, rules);
    files.push(...taken.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
    level = taken.filter(({ isFolder }) => isFolder);
  }
  return files;
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** It lies in, or is, something that is never work unless the base holds it. */
  readonly onlyTracked: boolean;
}

async function selected(
  found: readonly Entry[],
  { tracked, ignored }: { tracked: Tracked; ignored: IgnoreRules },
): Promise<readonly Entry[]> {
  const isTracked = (entry: Entry) => (entry.isFolder ? tracked.folders : tracked.files).has(entry.path);
  const candidates = found.filter((entry) => !entry.onlyTracked && !tracked.submodules.has(entry.path));
  const untracked = candidates.filter((entry) => !isTracked(entry));
  const out = await ignored(untracked.map(slashed));
  const fresh = new Set(untracked.filter((entry) => !out.has(slashed(entry))));
  return found.filter((entry) => isTracked(entry) || fresh.has(entry));
}

async function entriesOf(workspace: string, folder: Entry): Promise<readonly Entry[]> {
  const location = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(folder.path, "latin1")]);
  const found = await readFolder(location);
  return found.filter(canBeStored).map((entry) => {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
    const onlyTracked = folder.onlyTracked || neverWork.has(entry.name) || neverWorkPaths.has(path);
    return { path, isFolder: entry.isDirectory(), onlyTracked };
  });
}

async function readFolder(location: Buffer): Promise<readonly Dirent[]> {
  try {
    return await readdir(location, { encoding: "latin1", withFileTypes: true });
  } catch (cause) {
    throw new AppError("worktree_failed", `the folder ${location.toString()} cannot be read`, {
      hint: "Make it readable, or remove it, then run the same command again.",
      retry: "safe",
      cause,
    });
  }
}

/** Those of Python's tools ignore themselves, which no ignore file of the base can say. */
const neverWork = new Set([
  "node_modules",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
]);
const neverWorkPaths = new Set([".claude/temp", ".claude/plans"]);

// Git refuses these names in every spelling that some file system takes for `.git`.
const gitDirectory = /^(\.git|git~1)[. ]*([\\:].*)?$/i;

function canBeStored(entry: Dirent): boolean {
  if (gitDirectory.test(entry.name)) return false;
  if (entry.isSymbolicLink()) return !/^\.gitmodules$/i.test(entry.name);
  return entry.isFile() || entry.isDirectory();
}

function slashed(entry: Entry): string {
  return entry.isFolder ? `${entry.path}/` : entry.path;
}
