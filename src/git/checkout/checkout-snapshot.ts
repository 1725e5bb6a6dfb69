/**
 * A checkout of the user's as a tree: what their own `git add --all` would store, in a copy of their index. What they have
 * not changed comes from the index and is not read from the disk, where it may be decrypted. Their ignore rules, line
 * endings and filters hold. Their index, HEAD and files stay as they are.
 */
import { copyFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { filteredFiles } from "./filtered-files.ts";
import { filteredPath } from "./filters.ts";
import { fields, git, text, type GitPlace } from "../git.ts";
import { ignoreRules } from "./ignored.ts";
import { looked, tooLarge, type LeftOut } from "./left-out.ts";
import { lines, readable } from "../objects/raw-paths.ts";
import { asUser, type Repository } from "../repository.ts";
import { putEntries, storeFiles, type IndexEntry } from "../objects/store-files.ts";
import { trackedIn, type Base } from "./tracked.ts";
import { neverWork, neverWorkPaths } from "../worktree/workspace-files.ts";

interface Of {
  /** `root` or `checkout` of the repository. */
  readonly workspace: string;
  readonly base: string;
  readonly dir: string;
}

export async function snapshotCheckout(repository: Repository, { workspace, base, dir }: Of) {
  const gitDir = workspace === repository.checkout ? repository.checkoutGitDir : repository.gitDir;
  const place = asUser(repository, { path: repository.path, gitDir, cwd: workspace });
  const index = join(dir, "index");
  await copyIndex(join(gitDir, "index"), index);
  const at: At = { place, workTree: workspace, index };
  const entries = await entriesIn(at);
  await believeNoFlags(at, entries);

  const tracked = await trackedIn(repository, base);
  const changed = [...new Set(await listed(at, ["diff-files", "--name-only", "--ignore-submodules=all"]))];
  const found = await newFiles(repository, at, { tracked, dir });
  const blobOf = (path: string) => entries.get(path)?.blob ?? null;
  const files = await looked(workspace, [...changed, ...found]);
  const large = await tooLarge(repository, files, blobOf);
  const isLarge = new Set(large.map(({ path }) => path));
  const wanted = files.filter(({ path }) => !isLarge.has(readable(path)));
  const filtered = await filteredFiles(repository, wanted, {
    workTree: workspace,
    base,
    dir,
    isUsers: true,
    tracked: tracked.files.keys(),
    blobOf,
  });
  if (filtered.refused.length > 0) throw filteredPath(filtered.refused);

  const isOnDisk = new Set(files.map(({ path }) => path));
  const gone = changed.filter((path) => !isOnDisk.has(path));
  const plain = wanted.filter(({ path }) => !filtered.paths.has(path)).map(({ path }) => path);
  const settings = ["core.safecrlf=false"];
  const refused = await storeFiles(place, [...gone, ...plain], { index, workTree: workspace, settings });
  if (refused.length > 0) throw unreadable(refused);
  await putEntries(place, filtered.entries, index);
  const tree = text(await git(place, ["write-tree"], { env: { GIT_INDEX_FILE: index } }));
  return { tree, leftOut: large as readonly LeftOut[], ignored: [] as readonly string[] };
}

interface At {
  readonly place: GitPlace;
  readonly workTree: string;
  readonly index: string;
}

function listed({ place, workTree, index }: At, args: readonly string[]): Promise<readonly string[]> {
  const [command = "", ...rest] = args;
  return git(place, [command, "-z", ...rest], { env: { GIT_INDEX_FILE: index }, workTree }).then((output) =>
    fields(output, "latin1"),
  );
}

/** Git compares the content of files that are as new as the index, so a copy must not look newer than what it was made of. */
async function copyIndex(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null); // a repository without any file has none
  if (found === null) return;
  await copyFile(from, to);
  const seconds = Math.floor(found.mtimeMs / 1_000);
  await utimes(to, seconds, seconds);
}

interface Entry extends IndexEntry {
  /** `H`; lower case where git is not to look at the file; `S` where it need not be there. */
  readonly tag: string;
}

async function entriesIn(at: At): Promise<ReadonlyMap<string, Entry>> {
  const entries = (await listed(at, ["ls-files", "-v", "--stage"])).map((line) => {
    const tab = line.indexOf("\t");
    const [tag = "", mode = "", blob = ""] = line.slice(0, tab).split(" ");
    return { tag, mode, blob, path: line.slice(tab + 1) };
  });
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/** A flag hides no change: files are looked at all the same, unless they are not there since the checkout is sparse. */
async function believeNoFlags(at: At, entries: ReadonlyMap<string, Entry>): Promise<void> {
  const flagged = [...entries.values()].filter(({ tag }) => /^[a-zS]$/.test(tag));
  const present = await looked(
    at.workTree,
    flagged.filter(({ tag }) => /s/i.test(tag)).map(({ path }) => path),
  );
  const clear = async (option: string, paths: readonly string[]) => {
    if (paths.length === 0) return;
    const args = ["update-index", option, "-z", "--stdin"];
    const env = { GIT_INDEX_FILE: at.index };
    await git(at.place, args, { env, workTree: at.workTree, input: lines(paths) });
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

/** Untracked files that neither the checkout's rules ignore nor those of the base. */
async function newFiles(
  repository: Repository,
  at: At,
  { tracked, dir }: { readonly tracked: Base; readonly dir: string },
): Promise<readonly string[]> {
  const never = [...neverWork, ...neverWorkPaths.map((path) => `/${path}`)].map(
    (name) => `--exclude=${name}/`,
  );
  const links = neverWork.map((name) => `--exclude=${name}`);
  const all = await listed(at, ["ls-files", "--others", "--exclude-standard", ...never, ...links]);
  // A repository within this one is named as a folder.
  const found = all.filter((path) => !path.endsWith("/") && !tracked.submodules.has(path));
  const fresh = found.filter((path) => !tracked.files.has(path));
  const { ignored } = ignoreRules(repository, { files: tracked.ignoreFiles, dir });
  const out = await ignored(fresh);
  return found.filter((path) => !out.has(path));
}

function unreadable(paths: readonly string[]): AppError {
  const names = paths.map(readable);
  return new AppError("worktree_failed", `these files cannot be read: ${names.slice(0, 8).join(", ")}`, {
    hint: "Make them readable, or remove them, then run the same command again.",
    retry: "safe",
    detail: { paths: names },
  });
}
