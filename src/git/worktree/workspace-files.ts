import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import type { IgnoreRules } from "../checkout/ignored.ts";

/** What the base commit holds. Paths are latin1 strings. */
export interface Tracked {
  readonly files: Pick<ReadonlySet<string>, "has">;
  /** Every folder that holds something tracked. */
  readonly folders: ReadonlySet<string>;
  /** Path to its line of `git ls-tree`. A submodule is carried over as it is, whatever its folder holds. */
  readonly submodules: ReadonlyMap<string, string>;
}

export interface FoundFiles {
  readonly files: readonly string[];
  /** New entries that a rule ignores; folders end in a slash. */
  readonly ignored: readonly string[];
  /** Folders that nobody can list: not readable, or nested deeper than a path can say. */
  readonly unreadable: readonly string[];
}

/**
 * The files and symlinks of a workspace that count as work: all tracked ones that exist, and the untracked ones that
 * nothing ignores. Goes level by level, so that the ignore rules are asked once a level; never follows a link.
 */
export async function filesIn(
  workspace: string,
  rules: { tracked: Tracked; ignored: IgnoreRules["ignored"] },
): Promise<FoundFiles> {
  const files: string[] = [];
  const ignored: string[] = [];
  const unreadable: string[] = [];
  let level: readonly Entry[] = [{ path: "", isFolder: true, onlyTracked: false }];
  while (level.length > 0) {
    const listed = await Promise.all(level.map((folder) => entriesOf(workspace, folder)));
    unreadable.push(...level.filter((_folder, at) => listed[at] === null).map(({ path }) => path));
    const found = listed.flatMap((entries) => entries ?? []);
    const { taken, out } = await selected(found, rules);
    ignored.push(...out);
    files.push(...taken.filter(({ isFolder }) => !isFolder).map(({ path }) => path));
    level = taken.filter(({ isFolder }) => isFolder);
  }
  return { files, ignored, unreadable };
}

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** It lies in, or is, something that is never work unless the base holds it. */
  readonly onlyTracked: boolean;
}

async function selected(
  found: readonly Entry[],
  { tracked, ignored }: { tracked: Tracked; ignored: IgnoreRules["ignored"] },
): Promise<{ readonly taken: readonly Entry[]; readonly out: ReadonlySet<string> }> {
  const isTracked = (entry: Entry) => (entry.isFolder ? tracked.folders : tracked.files).has(entry.path);
  const candidates = found.filter((entry) => !entry.onlyTracked && !tracked.submodules.has(entry.path));
  const untracked = candidates.filter((entry) => !isTracked(entry));
  // Most hold nothing else, and what else they hold is asked about by itself.
  const out = await ignored(untracked.filter((entry) => !holdsNeverWork(entry)).map(slashed));
  const fresh = new Set(untracked.filter((entry) => !out.has(slashed(entry))));
  return { taken: found.filter((entry) => isTracked(entry) || fresh.has(entry)), out };
}

/** null where the folder cannot be listed. */
async function entriesOf(workspace: string, folder: Entry): Promise<readonly Entry[] | null> {
  const location = Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(folder.path, "latin1")]);
  const found = await readdir(location, { encoding: "latin1", withFileTypes: true }).catch(() => null);
  if (found === null) return (await isGone(location)) ? [] : null;
  await removeTraps(location, found);
  return found.filter(canBeStored).map((entry) => {
    const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
    const onlyTracked = folder.onlyTracked || isNeverWork(path);
    return { path, isFolder: entry.isDirectory(), onlyTracked };
  });
}

async function isGone(location: Buffer): Promise<boolean> {
  return lstat(location).then(
    () => false,
    (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT",
  );
}

/** Git reads these wherever it finds them, and would wait for ever at a pipe or a device. Neither can be work. */
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

/** Those of Python's tools ignore themselves, which no ignore file of the base can say. */
export const neverWork: readonly string[] = [
  "node_modules",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
];
export const neverWorkPaths: readonly string[] = [".claude/temp", ".claude/plans"];

function isNeverWork(path: string): boolean {
  return neverWork.includes(path.slice(path.lastIndexOf("/") + 1)) || neverWorkPaths.includes(path);
}

function holdsNeverWork({ path }: Entry): boolean {
  return neverWorkPaths.some((never) => never.startsWith(`${path}/`));
}

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
