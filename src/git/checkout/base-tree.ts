/** The content of a base commit, for comparison with snapshots. Paths are latin1 strings. */
import { fields } from "../git.ts";
import type { IgnoreFile } from "./ignore-rules.ts";
import type { Repository } from "../repository.ts";
import { listing, submoduleMode, symlinkMode, type TreeFile } from "../objects/tree.ts";
import type { TrackedPaths } from "../worktree/workspace-files.ts";

export interface BaseTree extends TrackedPaths {
  readonly files: ReadonlyMap<string, TreeFile>;
  readonly ignoreFiles: readonly IgnoreFile[];
}

export async function readBaseTree(repository: Repository, base: string): Promise<BaseTree> {
  const entries = fields(await listing(repository, base), "latin1");
  const files = new Map<string, TreeFile>();
  const folders = new Set<string>();
  const submodules = new Map<string, string>();
  const ignoreFiles: IgnoreFile[] = [];
  for (const entry of entries) {
    const tab = entry.indexOf("\t");
    const path = entry.slice(tab + 1);
    const [mode = "", , blob = ""] = entry.slice(0, tab).split(" ");
    if (mode === submoduleMode) submodules.set(path, entry);
    else files.set(path, { path, mode, blob });
    if (/(^|\/)\.gitignore$/.test(path) && mode !== submoduleMode && mode !== symlinkMode)
      ignoreFiles.push({ path, blob });
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  return { files, folders, submodules, ignoreFiles };
}
