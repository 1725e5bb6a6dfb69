/**
 * Content that git changes on its way into the store: encrypted by git-crypt, transcrypt or sops, replaced by a pointer of
 * LFS, or cleaned by any other `filter=`. This is the one place that decides about filters. What a clean filter would
 * have changed is never stored as it is on disk: it is stored as the user's own filter makes it, or not at all.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { fields, git, text, tryGit, type GitPlace } from "../git.ts";
import { argument, lines, quoted, readable } from "../objects/raw-paths.ts";
import { asUser, atCheckout, inStore, type Repository } from "../repository.ts";

/**
 * Settings that switch off every clean and smudge filter of the repository's configuration, so that a checkout holds
 * what its blobs say and a snapshot stores what the files say.
 */
export async function withoutFilters(repository: Repository): Promise<readonly string[]> {
  if (!(await mayHaveFilters(repository))) return [];
  return switchedOff(await driversIn(inStore(repository)));
}

/** Most repositories have none, and reading two files is quicker than starting git. */
async function mayHaveFilters(repository: Repository): Promise<boolean> {
  const files = ["config", "config.worktree"].map((name) => join(repository.gitDir, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => ""))); // the second is rare
  return texts.some((content) => /filter|include/i.test(content));
}

async function driversIn(place: GitPlace): Promise<readonly string[]> {
  const found = await tryGit(place, ["config", "--name-only", "-z", "--get-regexp", "^filter\\."]);
  const keys = fields(found.stdout).map((key) => key.slice("filter.".length, key.lastIndexOf(".")));
  return [...new Set(keys)];
}

function switchedOff(drivers: readonly string[]): readonly string[] {
  return drivers.flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

/** Where attributes are looked for. Paths are latin1 strings. */
export interface AttributesOf {
  readonly workTree: string;
  /** A commit or tree whose `.gitattributes` count too: whoever removes a line from the file must not undo its filter. */
  readonly base: string;
  /** Whether the base, or the working tree, holds a `.gitattributes` at all: else there is no need to read the base. */
  readonly hasFiles: boolean;
  /** For an index of the base. */
  readonly dir: string;
}

export function isAttributesFile(path: string): boolean {
  return /(^|\/)\.gitattributes$/.test(path);
}

/** Path -> name of the filter that git stores it through, by the user's attributes, the base's and those on disk. */
export async function filtersOf(
  repository: Repository,
  paths: readonly string[],
  { workTree, base, hasFiles, dir }: AttributesOf,
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

/** The same by the user's attributes and those of a commit alone. */
export async function filtersAt(
  repository: Repository,
  paths: readonly string[],
  { base, hasFiles, dir }: Pick<AttributesOf, "base" | "hasFiles" | "dir">,
): Promise<ReadonlyMap<string, string>> {
  const env = { GIT_INDEX_FILE: join(dir, "base-index") };
  if (hasFiles) await git(inStore(repository), ["read-tree", base], { env });
  const place = asUser(repository, inStore(repository));
  return new Map(await filterAttributes(place, paths, { env, cached: true }));
}

/** Of files of a checkout of the user's, which are decrypted on disk: path -> name of its filter. */
export async function filtersInCheckout(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const raw = paths.map((path) => Buffer.from(path).toString("latin1"));
  const found = await filterAttributes(asUser(repository), raw, { workTree: repository.checkout });
  return new Map(found.map(([path, filter]) => [readable(path), filter]));
}

async function filterAttributes(
  place: GitPlace,
  paths: readonly string[],
  { cached = false, ...options }: { workTree?: string; env?: Record<string, string>; cached?: boolean },
): Promise<readonly (readonly [string, string])[]> {
  const args = ["check-attr", ...(cached ? ["--cached"] : []), "--stdin", "-z", "filter"];
  const parts = fields(await git(place, args, { ...options, input: lines(paths) }), "latin1");
  const found: [string, string][] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = "", , name = ""] = parts.slice(at, at + 3);
    if (!["unspecified", "unset", "set", ""].includes(name)) found.push([path, name]);
  }
  return found;
}

/** What becomes of a file that has a filter. */
export type Filtered =
  /** As the base has it, or the filter changes nothing of it, or it was cleaned by the user's filter. */
  { readonly type: "stored"; readonly blob: string } | { readonly type: "refused"; readonly filter: string };

export interface FilteredFile {
  /** A latin1 string. */
  readonly path: string;
  readonly filter: string;
  /** As the base has it; null for a new file. */
  readonly blob: string | null;
}

export interface Cleaning {
  /** Where the files are. */
  readonly workTree: string;
  /** A checkout of the user's: there a changed file is stored as their own filter makes it, elsewhere it is refused. */
  readonly isUsers: boolean;
}

/** In the order of the files. Writes no object but what the user's own filter made, or would not have changed. */
export async function throughFilters(
  repository: Repository,
  files: readonly FilteredFile[],
  at: Cleaning,
): Promise<readonly Filtered[]> {
  if (files.length === 0) return [];
  const settings = switchedOff([
    ...new Set([...(await driversIn(asUser(repository))), ...files.map(({ filter }) => filter)]),
  ]);
  const plain = { ...atCheckout(repository), cwd: at.workTree };
  const unfiltered = at.isUsers ? asUser(repository, plain) : plain;
  const ids = await idsOf(unfiltered, files, { settings, workTree: at.workTree });
  const changed = files.filter((file, index) => file.blob === null || file.blob !== ids[index]);
  const cleaner = await cleanerFor(repository, changed, at);
  const answers: Filtered[] = [];
  for (const [index, file] of files.entries()) {
    const id = ids[index] ?? null;
    if (id !== null && id === file.blob) answers.push({ type: "stored", blob: id });
    else answers.push(await cleaned(file, id, cleaner, at));
  }
  return answers;
}

async function cleaned(
  file: FilteredFile,
  id: string | null,
  clean: Cleaner,
  { isUsers }: Cleaning,
): Promise<Filtered> {
  const refused: Filtered = { type: "refused", filter: file.filter };
  const made = await clean(file, false);
  if (made === null) return refused;
  if (made === file.blob) return { type: "stored", blob: made };
  // Elsewhere only what the filter leaves as it is: others would read there what only the filter may see.
  if (!isUsers && made !== id) return refused;
  const blob = await clean(file, true);
  return blob === null ? refused : { type: "stored", blob };
}

/** Id of what the user's filter makes of a file; null where the filter is not there, or fails. */
type Cleaner = (file: FilteredFile, write: boolean) => Promise<string | null>;

/** The filter is the user's own, run in their own checkout as `git add` would run it there. */
async function cleanerFor(
  repository: Repository,
  files: readonly FilteredFile[],
  { workTree, isUsers }: Cleaning,
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
  const defined = new Set(await driversIn(place));
  return async ({ path, filter }, write) => {
    const name = argument(path);
    if (name === null || there.get(path) !== filter || !defined.has(filter) || filter.includes("="))
      return null;
    const settings = [`filter.${filter}.required=true`, "core.safecrlf=false"];
    const args = ["hash-object", ...(write ? ["-w"] : []), `--path=${name}`, "--", join(workTree, name)];
    const answer = await tryGit(place, args, { settings, workTree: place.cwd, timeoutMs });
    return answer.exitCode === 0 ? text(answer.stdout) : null;
  };
}

const timeoutMs = 120_000;

/** null for a file that cannot be read. Nothing is written. */
async function idsOf(
  place: GitPlace,
  files: readonly FilteredFile[],
  options: { readonly settings: readonly string[]; readonly workTree: string },
): Promise<readonly (string | null)[]> {
  const settings = [...options.settings, "core.safecrlf=false"];
  const input = files.map(({ path }) => `${quoted(path)}\n`).join("");
  const answer = await tryGit(place, ["hash-object", "--stdin-paths"], { ...options, settings, input });
  if (answer.exitCode === 0) return text(answer.stdout).split("\n");
  if (files.length === 1) return [null];
  const middle = files.length >> 1;
  return [
    ...(await idsOf(place, files.slice(0, middle), options)),
    ...(await idsOf(place, files.slice(middle), options)),
  ];
}

export function filteredPath(paths: readonly { readonly path: string; readonly filter: string }[]): AppError {
  const named = paths.slice(0, 8).map(({ path, filter }) => `${path} (filter=${filter})`);
  return new AppError("filtered_path", `git stores these files through a filter: ${named.join(", ")}`, {
    hint: "the filter could not be run here: set it up (git-crypt unlock, git lfs install), or commit these files yourself",
    detail: { paths: paths.map(({ path }) => path) },
  });
}
