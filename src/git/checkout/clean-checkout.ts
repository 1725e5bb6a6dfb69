/**
 * Checks out files of the store into an empty folder independent of the user's settings: line endings, encodings and
 * `$Id$` follow the attributes of these files; filters are not applied. The folder becomes a separate repository.
 */
import { copyFile, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { exists } from "../../lib/files.ts";
import { sha256OfFile } from "../../lib/hash.ts";
import { readBlobs } from "../objects/contents.ts";
import { isAttributesFile } from "./filters.ts";
import { fields, git, text, tryGit, type GitPlace } from "../git.ts";
import { quotePath } from "../objects/raw-paths.ts";
import { asUser, inStore, type Repository } from "../repository.ts";
import { listFiles, submoduleMode, type TreeFile } from "../objects/tree.ts";
import { shortCommit } from "../../lib/short-commit.ts";

/** Returns whether its single commit equals the files on disk. */
export async function writeCheckout(
  repository: Repository,
  root: string,
  files: readonly TreeFile[],
): Promise<boolean> {
  const plain = files.filter(({ mode }) => mode !== submoduleMode);
  await makeRepository(repository, root, files[0]?.blob.length === 64);
  const place = { path: repository.path, gitDir: join(root, ".git"), cwd: root };
  const fill = async () => {
    await importCommit(place, plain);
    await git(place, ["read-tree", "--reset", "-u", "refs/heads/main"], { workTree: root });
  };
  await fill().catch(async () => {
    // In a partial clone, reading from its own store fetches missing objects.
    await readBlobs(
      repository,
      plain.map(({ blob }) => blob),
    );
    await fill();
  });
  await writeLargeFiles(repository, place, plain);
  await writeSubmodules(repository, root, files);
  // With attributes, git may store a file differently than its commit has it.
  return plain.length === files.length && !hasAttributes(plain);
}

const date = 946_684_800; // 2000-01-01

/** Creates a commit that depends only on the files. One process, where an index, a tree and a commit need three. */
async function importCommit(place: GitPlace, files: readonly TreeFile[]): Promise<void> {
  const who = `Mettle <mettle@localhost> ${date} +0000`;
  const head = [
    "commit refs/heads/main",
    `author ${who}`,
    `committer ${who}`,
    `data ${message.length + 1}`,
    `${message}\n`,
  ];
  const lines = files.map(
    ({ mode, blob, path }) => `M ${mode} ${blob} ${quotePath(Buffer.from(path).toString("latin1"))}`,
  );
  const input = `${[...head, ...lines].join("\n")}\n`;
  await git(place, ["fast-import", "--quiet", "--force"], { input, settings: ["fastimport.unpackLimit=1"] });
}

const message = "The commit under proof";

/** Amends the checkout's commit to the folder's current content; it depends only on the files. */
export async function commitCheckout({ path }: Pick<Repository, "path">, root: string): Promise<void> {
  const place = { path, gitDir: join(root, ".git"), cwd: root };
  const env = { GIT_COMMITTER_DATE: `@${date} +0000` };
  await git(place, ["add", "--all"], { workTree: root });
  const args = ["commit", "--amend", "--quiet", "--allow-empty", "--no-verify", `--message=${message}`];
  await git(place, args, { workTree: root, env });
}

/** Tags the commit of a checkout. */
export async function tagCheckout(
  { path }: Pick<Repository, "path">,
  root: string,
  tag: string,
): Promise<void> {
  const place = { path, gitDir: join(root, ".git"), cwd: root };
  await git(place, ["update-ref", `refs/tags/${tag}`, "refs/heads/main"]);
}

const nearestTags = new Map<string, Promise<string | null>>();

/** The nearest tag of a commit, for version numbers. Cached, so that RED and GREEN get the same one. */
export function nearestTag(repository: Repository, commit: string): Promise<string | null> {
  const key = `${repository.gitDir}\0${commit}`;
  const tag = nearestTags.get(key) ?? describe(repository, commit);
  nearestTags.set(key, tag);
  return tag;
}

async function describe(repository: Repository, commit: string): Promise<string | null> {
  const found = await tryGit(inStore(repository), ["describe", "--tags", "--abbrev=0", commit]);
  return found.exitCode === 0 ? text(found.stdout) : null;
}

/** Shares only the objects of the user's repository: no configuration, refs or hooks. */
function makeRepository(repository: Repository, root: string, isSha256: boolean): Promise<void> {
  return initWithAlternates(repository, join(root, ".git"), isSha256);
}

/** Creates a git directory that shares only the objects of a repository. */
export async function initWithAlternates(
  { gitDir }: Repository,
  own: string,
  isSha256: boolean,
): Promise<void> {
  for (const folder of ["objects/info", "refs/heads", "info"])
    await mkdir(join(own, folder), { recursive: true });
  const format = isSha256
    ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n[core]\n"
    : "\trepositoryformatversion = 0\n";
  await writeFile(join(own, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(own, "config"),
    `[core]\n${format}\tbare = false\n\tautocrlf = false\n\tfileMode = false\n\tlogAllRefUpdates = false\n`,
  );
  await writeFile(join(own, "info", "exclude"), "node_modules\n");
  await writeFile(join(own, "objects", "info", "alternates"), `${join(gitDir, "objects")}\n`);
}

function hasAttributes(files: readonly TreeFile[]): boolean {
  return files.some(({ path }) => isAttributesFile(path));
}

/** Replaces LFS pointers by their content if it is in this repository. */
async function writeLargeFiles(
  repository: Repository,
  place: GitPlace,
  files: readonly TreeFile[],
): Promise<void> {
  if (!hasAttributes(files)) return;
  const input = files.map(({ path }) => `${path}\0`).join("");
  const answer = fields(await git(place, ["check-attr", "--cached", "--stdin", "-z", "filter"], { input }));
  const paths = answer.flatMap((_word, at) =>
    at % 3 === 0 && answer[at + 2] === "lfs" ? [answer[at] ?? ""] : [],
  );
  if (paths.length === 0) return;
  const configured = text(
    (await tryGit(asUser(repository, inStore(repository)), ["config", "lfs.storage"])).stdout,
  );
  const store = join(configured === "" ? join(repository.gitDir, "lfs") : configured, "objects");
  for (const path of paths) {
    const file = join(place.cwd, path);
    const id = await lfsPointerId(file);
    if (id === null) continue;
    const places = [join(store, id.slice(0, 2), id.slice(2, 4), id), join(repository.checkout, path)];
    const found = await firstWithHash(places, id);
    if (found !== null) await copyFile(found, file);
    else if (
      (await isFile(join(repository.checkout, path))) &&
      (await lfsPointerId(join(repository.checkout, path))) === null
    )
      throw setupMissing(
        `the LFS content of ${path} (${id.slice(0, 12)})`,
        "`git lfs fetch` brings it into this repository",
      );
  }
}

async function lfsPointerId(file: string): Promise<string | null> {
  const found = await lstat(file).catch(() => null); // not checked out
  if (found === null || !found.isFile() || found.size > 1024) return null;
  const pointer = await readFile(file, "utf8");
  return pointer.startsWith("version https://git-lfs.github.com/spec/")
    ? (/^oid sha256:([0-9a-f]{64})$/m.exec(pointer)?.[1] ?? null)
    : null;
}

async function isFile(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null))?.isFile() === true; // not checked out
}

async function firstWithHash(files: readonly string[], id: string): Promise<string | null> {
  for (const file of files) if ((await isFile(file)) && (await sha256OfFile(file)) === id) return file;
  return null;
}

/** Writes submodules from the user's local stores without fetching. One without a store stays empty. */
async function writeSubmodules(
  repository: Repository,
  root: string,
  files: readonly TreeFile[],
): Promise<void> {
  const links = files.filter(({ mode }) => mode === submoduleMode);
  if (links.length === 0) return;
  const names = await submoduleNames(repository, root);
  for (const { path, blob: commit } of links) {
    const folder = join(root, path);
    await mkdir(folder, { recursive: true });
    const store = await storeOf(repository, { path, name: names.get(path) ?? path, commit });
    if (store === null) continue;
    await writeCheckout(store, folder, await listFiles(store, commit));
    // In this checkout its files belong to the superproject.
    await rm(join(folder, ".git"), { recursive: true, force: true });
  }
}

async function submoduleNames(repository: Repository, root: string): Promise<ReadonlyMap<string, string>> {
  const place = { path: repository.path, gitDir: null, cwd: root };
  const args = [
    "config",
    "--file",
    join(root, ".gitmodules"),
    "-z",
    "--get-regexp",
    "^submodule\\..*\\.path$",
  ];
  return new Map(
    fields((await tryGit(place, args)).stdout).map((entry) => {
      const [key = "", path = ""] = entry.split("\n");
      return [path, key.slice("submodule.".length, -".path".length)];
    }),
  );
}

interface Submodule {
  readonly path: string;
  readonly name: string;
  readonly commit: string;
}

async function storeOf(
  repository: Repository,
  { path, name, commit }: Submodule,
): Promise<Repository | null> {
  const here = join(repository.checkout, path);
  const own = { path: repository.path, gitDir: null, cwd: here };
  const isInitialised = await exists(join(here, ".git"));
  const reported = isInitialised ? text((await tryGit(own, ["rev-parse", "--absolute-git-dir"])).stdout) : "";
  for (const gitDir of [
    join(repository.gitDir, "modules", name),
    join(repository.checkoutGitDir, "modules", name),
    reported,
  ]) {
    if (gitDir === "") continue;
    const place = { path: repository.path, gitDir, cwd: repository.gitDir };
    const has = await tryGit(place, ["cat-file", "-e", `${commit}^{commit}`]);
    if (has.exitCode === 0)
      return { ...repository, root: here, checkout: here, gitDir, checkoutGitDir: gitDir };
  }
  if (isInitialised)
    throw setupMissing(
      `the commit ${shortCommit(commit)} of the submodule ${path}`,
      `\`git submodule update ${path}\` brings it`,
    );
  return null;
}

function setupMissing(what: string, help: string): AppError {
  return new AppError("test_setup_missing", `${what} is not in this repository's store`, { hint: help });
}
