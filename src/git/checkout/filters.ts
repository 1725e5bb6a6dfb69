/**
 * The only place that decides about git filters: content encrypted by git-crypt, transcrypt or sops, replaced by an LFS
 * pointer, or cleaned by another `filter=`. Content that a clean filter would change is never stored as it is on disk:
 * it is stored as the user's filter cleans it, or not at all.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { fields, git, text, tryGit, type GitPlace } from "../git.ts";
import { asArgument, nulTerminated, quotePath, displayPath } from "../objects/raw-paths.ts";
import { asUser, atCheckout, inStore, type Repository } from "../repository.ts";

/**
 * Settings that disable all clean and smudge filters of the repository's configuration, so that a checkout has the
 * content of its blobs and a snapshot the content of the files.
 */
export async function withoutFilters(repository: Repository): Promise<readonly string[]> {
  if (!(await mayHaveFilters(repository))) return [];
  return disabledFilters(await filterNames(inStore(repository)));
}

/** Most repositories have no filters, and reading two files is faster than starting git. */
async function mayHaveFilters(repository: Repository): Promise<boolean> {
  const files = ["config", "config.worktree"].map((name) => join(repository.gitDir, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => ""))); // the second is rare
  return texts.some((content) => /filter|include/i.test(content));
}

async function filterNames(place: GitPlace): Promise<readonly string[]> {
  const found = await tryGit(place, ["config", "--name-only", "-z", "--get-regexp", "^filter\\."]);
  const keys = fields(found.stdout).map((key) => key.slice("filter.".length, key.lastIndexOf(".")));
  return [...new Set(keys)];
}

function disabledFilters(drivers: readonly string[]): readonly string[] {
  return drivers.flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

/** Where to look up attributes. Paths are latin1 strings. */
export interface AttributeSource {
  readonly workTree: string;
  /** A commit or tree whose `.gitattributes` apply too, so that removing a line on disk does not undo its filter. */
  readonly base: string;
  /** Whether the base or the working tree has any `.gitattributes`; otherwise the base is not read. */
  readonly hasFiles: boolean;
  /** Folder for an index of the base. */
  readonly dir: string;
}

export function isAttributesFile(path: string): boolean {
  return /(^|\/)\.gitattributes$/.test(path);
}

/** Path -> filter name, by the attributes of the user, the base and the working tree. */
export async function filtersOf(
  repository: Repository,
  paths: readonly string[],
  { workTree, base, hasFiles, dir }: AttributeSource,
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const onDisk = asUser(repository, { ...atCheckout(repository), cwd: workTree });
  const noIndex = { GIT_INDEX_FILE: join(dir, "no-index") };
  const found = new Map(await filterAttributes(onDisk, paths, { workTree, env: noIndex }));
  if (!hasFiles) return found;
  for (const [path, name] of await filtersAt(repository, paths, { base, hasFiles, dir }))
    found.set(path, name);
  return found;
}

/** Path -> filter name, by the attributes of the user and a commit only. */
export async function filtersAt(
  repository: Repository,
  paths: readonly string[],
  { base, hasFiles, dir }: Pick<AttributeSource, "base" | "hasFiles" | "dir">,
): Promise<ReadonlyMap<string, string>> {
  const env = { GIT_INDEX_FILE: join(dir, "base-index") };
  if (hasFiles) await git(inStore(repository), ["read-tree", base], { env });
  const place = asUser(repository, inStore(repository));
  return new Map(await filterAttributes(place, paths, { env, cached: true }));
}

/** Path -> filter name for files of the user's checkout, which are decrypted on disk. */
export async function filtersInCheckout(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const raw = paths.map((path) => Buffer.from(path).toString("latin1"));
  const found = await filterAttributes(asUser(repository), raw, { workTree: repository.checkout });
  return new Map(found.map(([path, filter]) => [displayPath(path), filter]));
}

async function filterAttributes(
  place: GitPlace,
  paths: readonly string[],
  { cached = false, ...options }: { workTree?: string; env?: Record<string, string>; cached?: boolean },
): Promise<readonly (readonly [string, string])[]> {
  const args = ["check-attr", ...(cached ? ["--cached"] : []), "--stdin", "-z", "filter"];
  const parts = fields(await git(place, args, { ...options, input: nulTerminated(paths) }), "latin1");
  const found: [string, string][] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = "", , name = ""] = parts.slice(at, at + 3);
    if (!["unspecified", "unset", "set", ""].includes(name)) found.push([path, name]);
  }
  return found;
}

/** How a file with a filter is stored. */
export type FilterResult =
  /** It equals the base, the filter does not change it, or the user's filter cleaned it. */
  { readonly type: "stored"; readonly blob: string } | { readonly type: "refused"; readonly filter: string };

export interface FilteredFile {
  /** A latin1 string. */
  readonly path: string;
  readonly filter: string;
  /** The base's blob; null for a new file. */
  readonly blob: string | null;
}

export interface FilterOptions {
  /** Where the files are. */
  readonly workTree: string;
  /** Whether it is the user's checkout: there the user's filter cleans changed files; elsewhere they are refused. */
  readonly isUsers: boolean;
}

/** Results in the order of the files. Writes only objects that the user's filter made or would not change. */
export async function applyFilters(
  repository: Repository,
  files: readonly FilteredFile[],
  at: FilterOptions,
): Promise<readonly FilterResult[]> {
  if (files.length === 0) return [];
  const settings = disabledFilters([
    ...new Set([...(await filterNames(asUser(repository))), ...files.map(({ filter }) => filter)]),
  ]);
  const plain = { ...atCheckout(repository), cwd: at.workTree };
  const unfiltered = at.isUsers ? asUser(repository, plain) : plain;
  const ids = await hashFiles(unfiltered, files, { settings, workTree: at.workTree });
  const changed = files.filter((file, index) => file.blob === null || file.blob !== ids[index]);
  const cleaner = await cleanerFor(repository, changed, at);
  const answers: FilterResult[] = [];
  for (const [index, file] of files.entries()) {
    const id = ids[index] ?? null;
    if (id !== null && id === file.blob) answers.push({ type: "stored", blob: id });
    else answers.push(await cleanFile(file, id, cleaner, at));
  }
  return answers;
}

async function cleanFile(
  file: FilteredFile,
  id: string | null,
  clean: Cleaner,
  { isUsers }: FilterOptions,
): Promise<FilterResult> {
  const refused: FilterResult = { type: "refused", filter: file.filter };
  const made = await clean(file, false);
  if (made === null) return refused;
  if (made === file.blob) return { type: "stored", blob: made };
  // Elsewhere only content that the filter does not change: it would be readable there in plain text.
  if (!isUsers && made !== id) return refused;
  const blob = await clean(file, true);
  return blob === null ? refused : { type: "stored", blob };
}

/** Blob id of the cleaned file; null if the filter is missing or fails. */
type Cleaner = (file: FilteredFile, write: boolean) => Promise<string | null>;

/** Runs the user's filter in their checkout, like `git add`. */
async function cleanerFor(
  repository: Repository,
  files: readonly FilteredFile[],
  { workTree, isUsers }: FilterOptions,
): Promise<Cleaner> {
  const own = { path: repository.path, gitDir: repository.gitDir, cwd: repository.root };
  const place = asUser(repository, isUsers ? { ...atCheckout(repository), cwd: workTree } : own);
  const there = new Map(
    await filterAttributes(
      place,
      files.map(({ path }) => path),
      { workTree: place.cwd },
    ),
  );
  const defined = new Set(await filterNames(place));
  return async ({ path, filter }, write) => {
    const name = asArgument(path);
    if (name === null || there.get(path) !== filter || !defined.has(filter) || filter.includes("="))
      return null;
    const settings = [`filter.${filter}.required=true`, "core.safecrlf=false"];
    const args = ["hash-object", ...(write ? ["-w"] : []), `--path=${name}`, "--", join(workTree, name)];
    const answer = await tryGit(place, args, { settings, workTree: place.cwd, timeoutMs });
    return answer.exitCode === 0 ? text(answer.stdout) : null;
  };
}

const timeoutMs = 120_000;

/** Blob ids without writing; null for an unreadable file. */
async function hashFiles(
  place: GitPlace,
  files: readonly FilteredFile[],
  options: { readonly settings: readonly string[]; readonly workTree: string },
): Promise<readonly (string | null)[]> {
  const settings = [...options.settings, "core.safecrlf=false"];
  const input = files.map(({ path }) => `${quotePath(path)}\n`).join("");
  const answer = await tryGit(place, ["hash-object", "--stdin-paths"], { ...options, settings, input });
  if (answer.exitCode === 0) return text(answer.stdout).split("\n");
  if (files.length === 1) return [null];
  const middle = files.length >> 1;
  return [
    ...(await hashFiles(place, files.slice(0, middle), options)),
    ...(await hashFiles(place, files.slice(middle), options)),
  ];
}

export function filteredPathError(
  paths: readonly { readonly path: string; readonly filter: string }[],
): AppError {
  const named = paths.slice(0, 8).map(({ path, filter }) => `${path} (filter=${filter})`);
  return new AppError("filtered_path", `git stores these files through a filter: ${named.join(", ")}`, {
    hint: "the filter could not be run here: set it up (git-crypt unlock, git lfs install), or commit these files yourself",
    detail: { paths: paths.map(({ path }) => path) },
  });
}
