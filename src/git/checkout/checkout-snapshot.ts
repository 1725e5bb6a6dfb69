/**
 * Snapshots the user's checkout as a tree: what their `git add --all` would store, in a copy of their index. Unchanged
 * files come from the index, because on disk they may be decrypted. The user's ignore rules, line endings and filters
 * apply. Their index, HEAD and files are not changed.
 */
import { copyFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { filteredFiles } from "./filtered-files.ts";
import { filteredPathError } from "./filters.ts";
import { fields, git, text, type GitPlace } from "../git.ts";
import { ignoreRules } from "./ignore-rules.ts";
import { statFiles, tooLarge, type OmittedFile } from "./omitted-files.ts";
import { nulTerminated, displayPath } from "../objects/raw-paths.ts";
import { asUser, type Repository } from "../repository.ts";
import { putEntries, storeFiles, type IndexEntry } from "../objects/store-files.ts";
import { readBaseTree, type BaseTree } from "./base-tree.ts";
import { excludedNames, excludedPaths } from "../worktree/workspace-files.ts";

interface SnapshotOptions {
  /** `root` or `checkout` of the repository. */
  readonly workspace: string;
  readonly base: string;
  readonly dir: string;
}

export async function snapshotCheckout(repository: Repository, { workspace, base, dir }: SnapshotOptions) {
  const gitDir = workspace === repository.checkout ? repository.checkoutGitDir : repository.gitDir;
  const place = asUser(repository, { path: repository.path, gitDir, cwd: workspace });
  const index = join(dir, "index");
  await copyIndex(join(gitDir, "index"), index);
  const at: IndexContext = { place, workTree: workspace, index };
  const entries = await entriesIn(at);
  await clearIndexFlags(at, entries);

  const tracked = await readBaseTree(repository, base);
  const changed = [...new Set(await listPaths(at, ["diff-files", "--name-only", "--ignore-submodules=all"]))];
  const found = await newFiles(repository, at, { tracked, dir });
  const blobOf = (path: string) => entries.get(path)?.blob ?? null;
  const files = await statFiles(workspace, [...changed, ...found]);
  const large = await tooLarge(repository, files, blobOf);
  const isLarge = new Set(large.map(({ path }) => path));
  const wanted = files.filter(({ path }) => !isLarge.has(displayPath(path)));
  const filtered = await filteredFiles(repository, wanted, {
    workTree: workspace,
    base,
    dir,
    isUsers: true,
    tracked: tracked.files.keys(),
    blobOf,
  });
  if (filtered.refused.length > 0) throw filteredPathError(filtered.refused);

  const isOnDisk = new Set(files.map(({ path }) => path));
  const gone = changed.filter((path) => !isOnDisk.has(path));
  const plain = wanted.filter(({ path }) => !filtered.paths.has(path)).map(({ path }) => path);
  const settings = ["core.safecrlf=false"];
  const refused = await storeFiles(place, [...gone, ...plain], { index, workTree: workspace, settings });
  if (refused.length > 0) throw unreadable(refused);
  await putEntries(place, filtered.entries, index);
  const tree = text(await git(place, ["write-tree"], { env: { GIT_INDEX_FILE: index } }));
  return { tree, leftOut: large as readonly OmittedFile[], ignored: [] as readonly string[] };
}

interface IndexContext {
  readonly place: GitPlace;
  readonly workTree: string;
  readonly index: string;
}

function listPaths(
  { place, workTree, index }: IndexContext,
  args: readonly string[],
): Promise<readonly string[]> {
  const [command = "", ...rest] = args;
  return git(place, [command, "-z", ...rest], { env: { GIT_INDEX_FILE: index }, workTree }).then((output) =>
    fields(output, "latin1"),
  );
}

/** Keeps the index's mtime: git compares the content of files as new as the index, so the copy must not be newer. */
async function copyIndex(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null); // a repository without files has none
  if (found === null) return;
  await copyFile(from, to);
  const seconds = Math.floor(found.mtimeMs / 1_000);
  await utimes(to, seconds, seconds);
}

interface Entry extends IndexEntry {
  /** `H`; lower case with assume-unchanged; `S` with skip-worktree. */
  readonly tag: string;
}

async function entriesIn(at: IndexContext): Promise<ReadonlyMap<string, Entry>> {
  const entries = (await listPaths(at, ["ls-files", "-v", "--stage"])).map((line) => {
    const tab = line.indexOf("\t");
    const [tag = "", mode = "", blob = ""] = line.slice(0, tab).split(" ");
    return { tag, mode, blob, path: line.slice(tab + 1) };
  });
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** Clears index flags so that they hide no change, except skip-worktree of files missing from a sparse checkout. */
async function clearIndexFlags(at: IndexContext, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const flagged = [...entries.values()].filter(({ tag }) => /^[a-zS]$/.test(tag));
  const present = await statFiles(
    at.workTree,
    flagged.filter(({ tag }) => /s/i.test(tag)).map(({ path }) => path),
  );
  const clear = async (option: string, paths: readonly string[]) => {
    if (paths.length === 0) return;
    const args = ["update-index", option, "-z", "--stdin"];
    const env = { GIT_INDEX_FILE: at.index };
    await git(at.place, args, { env, workTree: at.workTree, input: nulTerminated(paths) });
  };
  await clear(
    "--no-assume-unchanged",
    flagged.filter(({ tag }) => /[a-z]/.test(tag)).map(({ path }) => path),
  );
  await clear(
    "--no-skip-worktree",
    present.map(({ path }) => path),
  );
}

/** Untracked files that neither the checkout's ignore rules nor the base's exclude. */
async function newFiles(
  repository: Repository,
  at: IndexContext,
  { tracked, dir }: { readonly tracked: BaseTree; readonly dir: string },
): Promise<readonly string[]> {
  const never = [...excludedNames, ...excludedPaths.map((path) => `/${path}`)].map(
    (name) => `--exclude=${name}/`,
  );
  const links = excludedNames.map((name) => `--exclude=${name}`);
  const all = await listPaths(at, ["ls-files", "--others", "--exclude-standard", ...never, ...links]);
  // Git lists a nested repository as a folder.
  const found = all.filter((path) => !path.endsWith("/") && !tracked.submodules.has(path));
  const fresh = found.filter((path) => !tracked.files.has(path));
  const { ignored } = ignoreRules(repository, { files: tracked.ignoreFiles, dir });
  const out = await ignored(fresh);
  return found.filter((path) => !out.has(path));
}

function unreadable(paths: readonly string[]): AppError {
  const names = paths.map(displayPath);
  return new AppError("worktree_failed", `these files cannot be read: ${names.slice(0, 8).join(", ")}`, {
    hint: "Make them readable, or remove them, then run the same command again.",
    retry: "safe",
    detail: { paths: names },
  });
}
