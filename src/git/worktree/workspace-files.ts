import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import type { IgnoreRules } from "../checkout/ignore-rules.ts";

/** The paths of the base commit, as latin1 strings. */
export interface TrackedPaths {
  readonly files: Pick<ReadonlySet<string>, "has">;
  /** All folders with tracked files. */
  readonly folders: ReadonlySet<string>;
  /** Path -> line of `git ls-tree`. A submodule is kept unchanged, whatever its folder contains. */
  readonly submodules: ReadonlyMap<string, string>;
}

export interface WorkspaceFiles {
  readonly files: readonly string[];
  /** Ignored new entries; folders end in a slash. */
  readonly ignored: readonly string[];
  /** Folders that cannot be listed: unreadable, or nested too deeply. */
  readonly unreadable: readonly string[];
}

/**
 * The files and symlinks of a workspace that count as work: existing tracked ones and unignored new ones. Walks level by
 * level, so that the ignore rules are checked once per level; never follows a link.
 */
export async function workspaceFiles(
  workspace: string,
  rules: { tracked: TrackedPaths; ignored: IgnoreRules["ignored"] },
): Promise<WorkspaceFiles> {
  const files: string[] = [];
  const ignored: string[] = [];
  const unreadable: string[] = [];
  let level: readonly Entry[] = [{ path: "", isFolder: true, onlyTracked: false }];
  while (level.length > 0) {
    const listed = await Promise.all(level.map((folder) => entriesOf(workspace, folder)));
    unreadable.push(...level.filter((_folder, at) => listed[at] === null).map(({ path }) => path));
    const found = listed.flatMap((entries) => entries ?? []);
    const { selected, out } = await selectEntries(found, rules);
    ignored.push(...out);
    files.push(...selected.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
    level = selected.filter(({ isFolder }) => isFolder);
  }
  return { files, ignored, unreadable };
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** It is, or is inside, an excluded path, which counts as work only if the base has it. */
  readonly onlyTracked: boolean;
}

async function selectEntries(
  found: readonly Entry[],
  { tracked, ignored }: { tracked: TrackedPaths; ignored: IgnoreRules["ignored"] },
): Promise<{ readonly selected: readonly Entry[]; readonly out: ReadonlySet<string> }> {
  const isTracked = (entry: Entry) => (entry.isFolder ? tracked.folders : tracked.files).has(entry.path);
  const candidates = found.filter((entry) => !entry.onlyTracked && !tracked.submodules.has(entry.path));
  const untracked = candidates.filter((entry) => !isTracked(entry));
  // Their other entries are checked individually on the next level.
  const out = await ignored(untracked.filter((entry) => !containsExcludedPath(entry)).map(withSlash));
  const fresh = new Set(untracked.filter((entry) => !out.has(withSlash(entry))));
  return { selected: found.filter((entry) => isTracked(entry) || fresh.has(entry)), out };
}

/** Null if the folder cannot be listed. */
async function entriesOf(workspace: string, folder: Entry): Promise<readonly Entry[] | null> {
  const location = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(folder.path, "latin1")]);
  const found = await readdir(location, { encoding: "latin1", withFileTypes: true }).catch(() => null);
  if (found === null) return (await isGone(location)) ? [] : null;
  await removeTraps(location, found);
  return found.filter(canBeStored).map((entry) => {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
    const onlyTracked = folder.onlyTracked || isExcluded(path);
    return { path, isFolder: entry.isDirectory(), onlyTracked };
  });
}

async function isGone(location: Buffer): Promise<boolean> {
  return lstat(location).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT",
  );
}

/** Removes special files with git's file names: git would hang reading a pipe or device. They are never work. */
async function removeTraps(location: Buffer, found: readonly Dirent[]): Promise<void> {
  const traps = found.filter(
    (entry) => /^\.git(attributes|ignore|modules)$/i.test(entry.name) && isSpecial(entry),
  );
  for (const { name } of traps)
    await rm(Buffer.concat([location, Buffer.from("/"), Buffer.from(name, "latin1")]), { force: true });
}

function isSpecial(entry: Dirent): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
}

/** Python's tools create an ignore file inside these folders, which the base's ignore files do not cover. */
export const excludedNames: readonly string[] = [
  "node_modules",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
];
export const excludedPaths: readonly string[] = [".claude/temp", ".claude/plans"];

function isExcluded(path: string): boolean {
  return excludedNames.includes(path.slice(path.lastIndexOf("/") + 1)) || excludedPaths.includes(path);
}

function containsExcludedPath({ path }: Entry): boolean {
  return excludedPaths.some((never) => never.startsWith(`${path}/`));
}

// Git refuses all spellings that a file system may treat as `.git`.
const gitDirectory = /^(\.git|git~1)[. ]*([\\:].*)?$/i;

function canBeStored(entry: Dirent): boolean {
  if (gitDirectory.test(entry.name)) return false;
  if (entry.isSymbolicLink()) return !/^\.gitmodules$/i.test(entry.name);
  return entry.isFile() || entry.isDirectory();
}

function withSlash(entry: Entry): string {
  return entry.isFolder ? `${entry.path}/` : entry.path;
}
