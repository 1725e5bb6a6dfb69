import { join } from "node:path";
import { fields, git, text } from "../git.ts";
import { findObjects, readObjects, unreadable, type FoundObject } from "./object-reader.ts";
import { idCache } from "../id-cache.ts";
import { inStore, type Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";

/** Reads and composes trees without a working tree or the user's index. */
export interface TreeFile {
  readonly path: string;
  /** `100644`, `100755`, `120000` a symlink, `160000` a submodule. */
  readonly mode: string;
  /** Object id; for a submodule its commit. */
  readonly blob: string;
}

export interface ChangedPath {
  readonly path: string;
  readonly status: "added" | "modified" | "deleted";
}

export async function treeOf(repository: Repository, commit: string): Promise<string> {
  return treeIds(repository, [commit], async () => {
    const [tree] = await findObjects(repository, [`${commit}^{tree}`]);
    if (tree == null) throw unreadable(commit);
    return tree.id;
  });
}

/** Caches the tree of a commit that was just made. */
export function rememberTree(
  repository: Repository,
  { commit, tree }: { commit: string; tree: string },
): void {
  void treeIds(repository, [commit], () => Promise.resolve(tree));
}

/** The changed paths between two commits or trees. A rename is a deletion and an addition. */
export async function changedPaths(
  repository: Repository,
  pair: { from: string; to: string },
): Promise<readonly ChangedPath[]> {
  const ids = [pair.from, pair.to];
  const from = await listings.known(repository, [await cachedTree(repository, pair.from)]);
  const to = await listings.known(repository, [await cachedTree(repository, pair.to)]);
  if (from !== null && to !== null) return compare(parseTree(from, "latin1"), parseTree(to, "latin1"));
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", ...ids];
  const parts = fields(await differences(repository, ids, () => git(inStore(repository), args)));
  const changed: ChangedPath[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [letter, path] = [parts[i], parts[i + 1]];
    if (path !== undefined)
      changed.push({ path, status: letter === "A" ? "added" : letter === "D" ? "deleted" : "modified" });
  }
  return changed;
}

/** Sorted by path, like `git diff-tree`. */
function compare(from: readonly TreeFile[], to: readonly TreeFile[]): readonly ChangedPath[] {
  const gone = new Map(from.map((file) => [file.path, file]));
  const changed: ChangedPath[] = [];
  for (const { path, mode, blob } of to) {
    const was = gone.get(path);
    gone.delete(path);
    if (was === undefined) changed.push({ path, status: "added" });
    else if (was.mode !== mode || was.blob !== blob) changed.push({ path, status: "modified" });
  }
  const deleted = [...gone.keys()].map((path): ChangedPath => ({ path, status: "deleted" }));
  return [...changed, ...deleted]
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, status }) => ({ path: Buffer.from(path, "latin1").toString("utf8"), status }));
}

/** All files of a commit or tree, in git's order. */
export async function listFiles(repository: Repository, commit: string): Promise<readonly TreeFile[]> {
  return parseTree(await listing(repository, commit), "utf8");
}

/** The stored content of one file, for a symlink its target; null if there is no such file. */
export async function readFile(
  repository: Repository,
  file: { commit: string; path: string },
): Promise<Buffer | null> {
  const place = inStore(repository);
  const found = parseTree(
    await git(place, ["ls-tree", "-z", "--full-tree", file.commit, "--", file.path]),
    "utf8",
  );
  const entry = found.find(
    ({ path, mode }) => path === file.path && mode !== folderMode && mode !== submoduleMode,
  );
  return entry === undefined ? null : git(place, ["cat-file", "blob", entry.blob]);
}

/** The files of `base`; paths accepted by `take` have the version of `overlay`, or are absent if it lacks them. */
export async function composeTree(
  repository: Repository,
  parts: { base: string; overlay: string; take: (path: string) => boolean },
): Promise<string> {
  const [base, overlay] = await Promise.all([
    rawFiles(repository, parts.base),
    rawFiles(repository, parts.overlay),
  ]);
  const taken = (file: TreeFile) => parts.take(Buffer.from(file.path, "latin1").toString("utf8"));
  return writeTree(repository, [...base.filter((file) => !taken(file)), ...overlay.filter(taken)]);
}

/** The tree of only these files of a commit. */
export async function treeOnly(
  repository: Repository,
  { commit, paths }: { readonly commit: string; readonly paths: ReadonlySet<string> },
): Promise<string> {
  const files = await rawFiles(repository, commit);
  return writeTree(
    repository,
    files.filter(({ path }) => paths.has(Buffer.from(path, "latin1").toString("utf8"))),
  );
}

/** The tree of a commit with some files added or replaced. */
export async function treeWith(
  repository: Repository,
  base: string,
  texts: ReadonlyMap<string, string | Uint8Array>,
): Promise<string> {
  const files = new Map((await rawFiles(repository, base)).map((file) => [file.path, file]));
  for (const [path, content] of texts) {
    const blob = await writeBlob(repository, content);
    const raw = Buffer.from(path).toString("latin1");
    files.set(raw, { mode: "100644", ...files.get(raw), path: raw, blob });
  }
  return writeTree(repository, [...files.values()]);
}

/** Stores content as it is, without filters. @returns its object id */
export async function writeBlob(repository: Repository, content: string | Uint8Array): Promise<string> {
  const args = ["hash-object", "-w", "--no-filters", "--stdin"];
  return text(await git(inStore(repository), args, { input: content }));
}

export const submoduleMode = "160000";
export const symlinkMode = "120000";
const folderMode = "040000";

// Paths are bytes; latin1 preserves every byte.
async function rawFiles(repository: Repository, commit: string): Promise<readonly TreeFile[]> {
  return parseTree(await listing(repository, commit), "latin1");
}

async function writeTree(repository: Repository, files: readonly TreeFile[]): Promise<string> {
  const lines = files.map((file) => `${file.mode} ${file.blob}\t${file.path}\0`).join("");
  return withScratch(async (dir) => {
    const env = { GIT_INDEX_FILE: join(dir, "index") };
    const input = Buffer.from(lines, "latin1");
    await git(inStore(repository), ["update-index", "-z", "--index-info"], { env, input });
    return text(await git(inStore(repository), ["write-tree"], { env }));
  });
}

function parseTree(output: Buffer, encoding: "utf8" | "latin1"): TreeFile[] {
  return fields(output, encoding).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", , blob = ""] = line.slice(0, tab).split(" ");
    return { path: line.slice(tab + 1), mode, blob };
  });
}

const treeIds = idCache<string>(64);
const differences = idCache<Buffer>(32);
const listings = idCache<Buffer>(8);

/** The output of `git ls-tree -r -z` for a commit or tree. */
export async function listing(repository: Repository, id: string): Promise<Buffer> {
  const tree = await cachedTree(repository, id);
  return listings(repository, [tree], () => listTree(repository, tree));
}

/** Reads level by level, all folders of a level in one batch. */
async function listTree(repository: Repository, id: string): Promise<Buffer> {
  const files: TreeFile[] = [];
  let folders: readonly TreeFile[] = [{ path: "", mode: folderMode, blob: `${id}^{tree}` }];
  while (folders.length > 0) {
    const names = folders.map(({ blob }) => blob);
    const found = await readObjects(repository, names);
    const entries = folders.flatMap(({ path, blob }, at) => {
      const tree = found[at];
      if (tree?.type !== "tree") throw unreadable(blob);
      return parseTreeObject(tree, path === "" ? "" : `${path}/`);
    });
    files.push(...entries.filter(({ mode }) => mode !== folderMode));
    folders = entries.filter(({ mode }) => mode === folderMode);
  }
  const lines = files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(
      ({ path, mode, blob }) => `${mode} ${mode === submoduleMode ? "commit" : "blob"} ${blob}\t${path}\0`,
    );
  return Buffer.from(lines.join(""), "latin1");
}

/** Entries of a tree object: mode, a space, the name, a zero and the id in bytes. */
function parseTreeObject({ id, content }: FoundObject, prefix: string): readonly TreeFile[] {
  const entries: TreeFile[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(" ", at);
    const end = content.indexOf(0, space);
    const next = end + 1 + id.length / 2;
    entries.push({
      mode: content.toString("latin1", at, space).padStart(folderMode.length, "0"),
      path: prefix + content.toString("latin1", space + 1, end),
      blob: content.toString("hex", end + 1, next),
    });
    at = next;
  }
  return entries;
}

/** The cached tree of a commit, else the id itself; git accepts both. */
async function cachedTree(repository: Repository, id: string): Promise<string> {
  return (await treeIds.known(repository, [id])) ?? id;
}
