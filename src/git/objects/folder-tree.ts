/** A folder beside git's own files as a tree: stored, and written back on another host. */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { writeAtomically } from "../../lib/files.ts";
import { git, text } from "../git.ts";
import { inStore, type Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";
import { readBlobs } from "./contents.ts";
import { putEntries } from "./store-files.ts";
import { listFiles } from "./tree.ts";

export interface StoredFolder {
  /** Absolute. */
  readonly folder: string;
  /** Whether a file belongs to it, by its path in the folder with `/`. Links and pipes never do. */
  readonly takes: (path: string) => boolean;
}

/** @returns the tree of the folder's files, byte for byte; the empty tree without a folder */
export async function storeFolder(repository: Repository, of: StoredFolder): Promise<string> {
  const paths = await filesOf(of);
  const place = inStore(repository);
  const args = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
  const input = paths.map((path) => `${path}\n`).join("");
  const ids =
    paths.length === 0 ? [] : text(await git({ ...place, cwd: of.folder }, args, { input })).split("\n");
  return withScratch(async (dir) => {
    const index = join(dir, "index");
    const entries = paths.map((path, at) => ({
      mode: "100644",
      blob: ids[at] ?? "",
      path: Buffer.from(path).toString("latin1"),
    }));
    await git(place, ["read-tree", "--empty"], { env: { GIT_INDEX_FILE: index } });
    await putEntries(place, entries, index);
    return text(await git(place, ["write-tree"], { env: { GIT_INDEX_FILE: index } }));
  });
}

/** Writes the tree's files and removes the folder's others. @param last the file that is written last */
export async function writeFolder(
  repository: Repository,
  { folder, takes, tree, last }: StoredFolder & { readonly tree: string; readonly last: string },
): Promise<void> {
  const files = (await listFiles(repository, tree)).filter(({ path }) => takes(path) && isInside(path));
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  );
  const wanted = new Set(files.map(({ path }) => path));
  await mkdir(folder, { recursive: true });
  for (const path of await filesOf({ folder, takes }))
    if (!wanted.has(path)) await rm(join(folder, path), { force: true });
  for (const { path, blob } of files.toSorted((one, other) => rank(one.path) - rank(other.path))) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    await writeAtomically(place, blobs.get(blob) ?? new Uint8Array());
  }

  function rank(path: string): number {
    return path === last ? 1 : 0;
  }
}

/** Others make trees, and git checks the names in them only where it is told to. */
function isInside(path: string): boolean {
  return !path.split("/").some((name) => ["", ".", ".."].includes(name));
}

/** Sorted. Git reads one name on each line. */
async function filesOf({ folder, takes }: StoredFolder): Promise<readonly string[]> {
  // No folder: it has no files.
  const found = (await lstat(folder).catch(() => null))?.isDirectory() ?? false;
  const entries = found ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => takes(path) && !/[\n\r]|^"/u.test(path))
    .toSorted();
}
