import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { snapshotCheckout } from "../checkout/checkout-snapshot.ts";
import { filteredFiles, type FilteredFiles } from "../checkout/filtered-files.ts";
import { withoutFilters } from "../checkout/filters.ts";
import { git, text } from "../git.ts";
import { ignoreRules } from "../checkout/ignore-rules.ts";
import { statFiles, tooLarge, type OmittedFile } from "../checkout/omitted-files.ts";
import { displayPath } from "./raw-paths.ts";
import { inStore, type Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";
import { putEntries, storeFiles, type IndexEntry } from "./store-files.ts";
import { readBaseTree, type BaseTree } from "../checkout/base-tree.ts";
import { changedPaths, listing, type ChangedPath } from "./tree.ts";
import { workspaceFiles } from "../worktree/workspace-files.ts";
import { resolveParent } from "../worktree/worktree-folder.ts";

export interface Snapshot {
  /** A tree in the repository's object store. */
  readonly tree: string;
  /** Compared with the base. */
  readonly changed: readonly ChangedPath[];
  /** Files that the tree has in the base's version, or not at all. */
  readonly leftOut: readonly OmittedFile[];
  /** Ignored new entries, the first hundred; folders end in a slash. */
  readonly ignored: readonly string[];
}

/**
 * Snapshots a workspace as a tree, read from its files into an empty index. Index flags and git directories of the
 * workspace have no effect. Untracked files ignored by the base's ignore files or the user's rules are omitted, and so are
 * changed files with a filter. Changes no ref; safe in parallel.
 *
 * For the user's checkout, the result is what `git add --all` would store.
 */
export async function snapshot(
  repository: Repository,
  of: { workspace: string; base: string },
): Promise<Snapshot> {
  const workspace = await realWorkspace(of.workspace);
  return withScratch(async (dir) => {
    const result = await (isUsers(repository, workspace) ? snapshotCheckout : snapshotWorkspace)(repository, {
      workspace,
      base: of.base,
      dir,
    });
    return { ...result, changed: await changedPaths(repository, { from: of.base, to: result.tree }) };
  });
}

function isUsers({ root, checkout }: Repository, workspace: string): boolean {
  return workspace === root || workspace === checkout;
}

async function snapshotWorkspace(
  repository: Repository,
  { workspace, base, dir }: { readonly workspace: string; readonly base: string; readonly dir: string },
): Promise<Omit<Snapshot, "changed">> {
  const place = inStore(repository);
  const tracked = await readBaseTree(repository, base);
  const rules = ignoreRules(repository, { files: tracked.ignoreFiles, dir });
  const found = await workspaceFiles(workspace, { tracked, ignored: rules.ignored });
  const files = await statFiles(workspace, found.files);
  const blobOf = (path: string) => tracked.files.get(path)?.blob ?? null;
  const large = await tooLarge(repository, files, blobOf);
  const isLarge = new Set(large.map(({ path }) => path));
  const readableFiles = files.filter(({ path }) => !isLarge.has(displayPath(path)));
  const filtered = await filteredFiles(repository, readableFiles, {
    workTree: workspace,
    base,
    dir,
    isUsers: false,
    tracked: tracked.files.keys(),
    blobOf,
  });

  const index = join(dir, "index");
  await putEntries(place, [...submodules(tracked), ...filtered.entries], index);
  const rest = readableFiles.filter(({ path }) => !filtered.paths.has(path)).map(({ path }) => path);
  const refused = await storeFiles({ ...place, cwd: workspace }, rest, {
    index,
    workTree: workspace,
    settings: [...onDiskSettings, ...(await withoutFilters(repository))],
  });
  const leftOut = [
    ...large,
    ...filtered.refused.map(refusedByFilter),
    ...unreadable([...found.unreadable, ...refused]),
  ];
  await putEntries(place, baseEntriesOf(tracked, leftOut), index);
  const tree = text(await git(place, ["write-tree"], { env: { GIT_INDEX_FILE: index } }));
  // Caches the listing: gates need it too, and the changes are computed from both listings.
  await listing(repository, tree);
  return { tree, leftOut, ignored: found.ignored.slice(0, maxIgnored).map(displayPath) };
}

const maxIgnored = 100;

const onDiskSettings = [
  "core.fileMode=true",
  "core.symlinks=true",
  "core.ignoreCase=false",
  "core.safecrlf=false",
];

function refusedByFilter({ path, filter }: FilteredFiles["refused"][number]): OmittedFile {
  const why = `git stores it through the filter ${filter}, and only its owner may change it`;
  return { path, reason: "filter", why };
}

function unreadable(paths: readonly string[]): readonly OmittedFile[] {
  return paths.map((path) => ({
    path: displayPath(path).slice(0, maxPath),
    reason: "unreadable",
    why: "it cannot be read, or not be stored as its attributes say",
  }));
}

const maxPath = 200;

/** The base's entries of omitted tracked files, and of all files in unlistable folders. */
function baseEntriesOf(tracked: BaseTree, leftOut: readonly OmittedFile[]): readonly IndexEntry[] {
  const paths = new Set(leftOut.map(({ path }) => path));
  const folders = leftOut.filter(({ reason }) => reason === "unreadable").map(({ path }) => `${path}/`);
  if (paths.size === 0) return [];
  return [...tracked.files.values()].filter(({ path }) => {
    const name = displayPath(path);
    return paths.has(name) || folders.some((folder) => name.startsWith(folder) || folder === "/");
  });
}

function submodules(tracked: BaseTree): readonly IndexEntry[] {
  return [...tracked.submodules].map(([path, line]) => ({
    mode: line.split(" ")[0] ?? "",
    blob: line.slice(0, line.indexOf("\t")).split(" ")[2] ?? "",
    path,
  }));
}

/** The real path of the workspace; refuses a symlink in its place. */
async function realWorkspace(workspace: string): Promise<string> {
  const place = await resolveParent(workspace);
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
