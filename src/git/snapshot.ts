import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { withoutFilters } from "./filters.ts";
import { fields, git, text } from "./git.ts";
import { ignoreRules, type IgnoreFile } from "./ignored.ts";
import { inStore, type Repository } from "./repository.ts";
import { withScratch } from "./scratch.ts";
import { changedPaths, listing, submoduleMode, symlinkMode, type ChangedPath } from "./tree.ts";
import { filesIn, type Tracked } from "./workspace-files.ts";
import { placeOf } from "./worktree-folder.ts";

export interface Snapshot {
  /** A tree in the repository's own object store. */
  readonly tree: string;
  /** Against the base. */
  readonly changed: readonly ChangedPath[];
}

/**
 * What a workspace holds, as a tree: read from the files themselves into an empty index. Index flags, git directories,
 * excludes and filters of the workspace decide nothing. Untracked files are left out where the ignore files of the base
 * say so. Changes no file and no ref; safe in parallel.
 */
export async function snapshot(
  repository: Repository,
  of: { workspace: string; base: string },
): Promise<Snapshot> {
  const workspace = await folderOf(of.workspace);
  const place = inStore(repository);
  return withScratch(async (dir) => {
    const tracked = await trackedIn(repository, of.base);
    const ignored = ignoreRules(repository, { files: tracked.ignoreFiles, dir });
    const files = await filesIn(workspace, { tracked, ignored });

    const env = { GIT_INDEX_FILE: join(dir, "index") };
    const submodules = lines([...tracked.submodules.values()]);
    if (submodules.length > 0)
      await git(place, ["update-index", "-z", "--index-info"], { env, input: submodules });
    await git(
      { ...place, cwd: workspace },
      ["update-index", "--add", "--replace", "--remove", "-z", "--stdin"],
      {
        env,
        settings: [...asOnDisk, ...(await withoutFilters(repository))],
        workTree: workspace,
        input: lines(files),
      },
    );
    const tree = text(await git(place, ["write-tree"], { env }));
    return { tree, changed: await changedPaths(repository, { from: of.base, to: tree }) };
  });
}

/** A link in the workspace's place leads to files that are nobody's work. */
async function folderOf(workspace: string): Promise<string> {
  const place = await placeOf(workspace);
  const found = await lstat(place).catch(() => null); // not there
  if (found?.isDirectory() === true) return place;
  throw new AppError(
    "worktree_failed",
    `the workspace ${place} is ${found ? "no folder any more" : "gone"}`,
    {
      hint: "The same command again begins in a new one.",
      retry: "safe",
    },
  );
}

const asOnDisk = ["core.fileMode=true", "core.symlinks=true", "core.ignoreCase=false", "core.safecrlf=false"];

interface Base extends Tracked {
  readonly ignoreFiles: readonly IgnoreFile[];
}

// Paths are bytes to git and to the file system; latin1 carries every byte through unchanged.
async function trackedIn(repository: Repository, base: string): Promise<Base> {
  const entries = fields(await listing(repository, base), "latin1");
  const files = new Set<string>();
  const folders = new Set<string>();
  const submodules = new Map<string, string>();
  const ignoreFiles: IgnoreFile[] = [];
  for (const entry of entries) {
    const tab = entry.indexOf("\t");
    const path = entry.slice(tab + 1);
    const [mode, , blob = ""] = entry.slice(0, tab).split(" ");
    if (mode === submoduleMode) submodules.set(path, entry);
    else files.add(path);
    if (/(^|\/)\.gitignore$/.test(path) && mode !== submoduleMode && mode !== symlinkMode)
      ignoreFiles.push({ path, blob });
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  return { files, folders, submodules, ignoreFiles };
}

function lines(items: readonly string[]): Buffer {
  return Buffer.from(items.map((item) => `${item}\0`).join(""), "latin1");
}
