import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { snapshotCheckout } from "../checkout/checkout-snapshot.ts";
import { filteredFiles, type FilteredFiles } from "../checkout/filtered-files.ts";
import { withoutFilters } from "../checkout/filters.ts";
import { git, text } from "../git.ts";
import { ignoreRules } from "../checkout/ignored.ts";
import { looked, tooLarge, type LeftOut } from "../checkout/left-out.ts";
import { readable } from "./raw-paths.ts";
import { inStore, type Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";
import { putEntries, storeFiles, type IndexEntry } from "./store-files.ts";
import { trackedIn, type Base } from "../checkout/tracked.ts";
import { changedPaths, listing, type ChangedPath } from "./tree.ts";
import { filesIn } from "../worktree/workspace-files.ts";
import { placeOf } from "../worktree/worktree-folder.ts";

export interface Snapshot {
  /** A tree in the repository's own object store. */
  readonly tree: string;
  /** Against the base. */
  readonly changed: readonly ChangedPath[];
  /** What the tree has as the base has it, or not at all. */
  readonly leftOut: readonly LeftOut[];
  /** New entries that a rule ignores, the first hundred; folders end in a slash. */
  readonly ignored: readonly string[];
}

/**
 * What a workspace holds, as a tree: read from the files themselves into an empty index. Index flags and git directories
 * of the workspace decide nothing. Untracked files are left out where the ignore files of the base say so, or the user's own
 * rules. A changed file that git would store through a filter is left out. Changes no ref; safe in parallel.
 *
 * Of a checkout of the user's it is what `git add --all` would store there.
 */
export async function snapshot(
  repository: Repository,
  of: { workspace: string; base: string },
): Promise<Snapshot> {
  const workspace = await folderOf(of.workspace);
  return withScratch(async (dir) => {
    const taken = await (isUsers(repository, workspace) ? snapshotCheckout : snapshotWorkspace)(repository, {
      workspace,
      base: of.base,
      dir,
    });
    return { ...taken, changed: await changedPaths(repository, { from: of.base, to: taken.tree }) };
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
  const tracked = await trackedIn(repository, base);
  const rules = ignoreRules(repository, { files: tracked.ignoreFiles, dir });
  const found = await filesIn(workspace, { tracked, ignored: rules.ignored });
  const files = await looked(workspace, found.files);
  const blobOf = (path: string) => tracked.files.get(path)?.blob ?? null;
  const large = await tooLarge(repository, files, blobOf);
  const isLarge = new Set(large.map(({ path }) => path));
  const readableFiles = files.filter(({ path }) => !isLarge.has(readable(path)));
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
    settings: [...asOnDisk, ...(await withoutFilters(repository))],
  });
  const leftOut = [
    ...large,
    ...filtered.refused.map(ownersOnly),
    ...unreadable([...found.unreadable, ...refused]),
  ];
  await putEntries(place, kept(tracked, leftOut), index);
  const tree = text(await git(place, ["write-tree"], { env: { GIT_INDEX_FILE: index } }));
  // Its judges list it too, and what changed is known from the two listings.
  await listing(repository, tree);
  return { tree, leftOut, ignored: found.ignored.slice(0, maxIgnored).map(readable) };
}

const maxIgnored = 100;

const asOnDisk = ["core.fileMode=true", "core.symlinks=true", "core.ignoreCase=false", "core.safecrlf=false"];

function ownersOnly({ path, filter }: FilteredFiles["refused"][number]): LeftOut {
  const why = `git stores it through the filter ${filter}, and only its owner may change it`;
  return { path, reason: "filter", why };
}

function unreadable(paths: readonly string[]): readonly LeftOut[] {
  return paths.map((path) => ({
    path: readable(path).slice(0, maxPath),
    reason: "unreadable",
    why: "it cannot be read, or not be stored as its attributes say",
  }));
}

const maxPath = 200;

/** A tracked file that is left out stays as it was; so do all of a folder that cannot be listed. */
function kept(tracked: Base, leftOut: readonly LeftOut[]): readonly IndexEntry[] {
  const paths = new Set(leftOut.map(({ path }) => path));
  const folders = leftOut.filter(({ reason }) => reason === "unreadable").map(({ path }) => `${path}/`);
  if (paths.size === 0) return [];
  return [...tracked.files.values()].filter(({ path }) => {
    const name = readable(path);
    return paths.has(name) || folders.some((folder) => name.startsWith(folder) || folder === "/");
  });
}

function submodules(tracked: Base): readonly IndexEntry[] {
  return [...tracked.submodules].map(([path, line]) => ({
    mode: line.split(" ")[0] ?? "",
    blob: line.slice(0, line.indexOf("\t")).split(" ")[2] ?? "",
    path,
  }));
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
