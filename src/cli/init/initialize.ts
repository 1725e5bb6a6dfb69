/** Sets a repository up, and undoes it. Never overwrites a file of the user, and decides everything before it writes. */
import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { exists, writeAtomically } from "../../lib/files.ts";
import { sha256 } from "../../lib/hash.ts";
import { deleteManifest, readManifest, removeEmpty, writeManifest, type Manifest } from "./manifest.ts";
import {
  allSharedFiles,
  ownFiles,
  sharedFiles,
  stepsCopies,
  type SharedFile,
  type OwnFileOptions,
} from "./plan.ts";
import { readProject, type InitProject } from "./project.ts";
import { schemaPath } from "./texts.ts";

export interface InitOptions extends OwnFileOptions {
  /** Top level of the checkout. */
  readonly root: string;
  /** The state home, where the list of written files is kept. */
  readonly state: string;
  /** PATH, to find agents. */
  readonly path: string;
  readonly dryRun: boolean;
}

export interface InitReport {
  readonly written: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  readonly found: InitProject;
}

export async function initRepository(options: InitOptions): Promise<InitReport> {
  const { root, state, dryRun } = options;
  const found = await readProject(root, options.path);
  const earlier = await readManifest(state);
  const texts = new Map<string, string>();
  const edits: Record<string, Manifest["edits"][string]> = {};
  const kept: string[] = [];
  const present = new Set<string>();
  const envoy = options.envoy === true || hasSteps(earlier);
  for (const [path, text] of await ownFiles(found, { ...options, envoy })) {
    await refuseLinkOut(root, path);
    if (!(await exists(join(root, path)))) texts.set(path, text);
    else if (await isOutdated({ root, path, text, earlier })) {
      present.add(path);
      texts.set(path, text);
    } else kept.push(path);
  }
  const files = Object.fromEntries([...texts].map(([path, text]) => [path, sha256(text)]));
  for (const shared of sharedFiles(options.session)) {
    const { path } = shared;
    await refuseLinkOut(root, path);
    const before = await read(join(root, path));
    if (before !== null) present.add(path);
    const text = shared.add(before);
    if (text === null) kept.push(path);
    else {
      texts.set(path, text);
      const back = earlier?.edits[path] === undefined ? before : withoutOurs(shared, before);
      edits[path] = { before: back, after: sha256(text) };
    }
  }
  const written = [...texts.keys()];
  if (dryRun || written.length === 0) return { written, kept, removed: [], found };

  const folders = await missingFolders(root, written);
  // The list is written first: after a crash it names too many files, which `--remove` tolerates.
  await writeManifest(state, merged(earlier, { files, edits, folders }));
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  for (const [path, text] of texts) await write({ root, path, text, isNew: !present.has(path) });
  return { written, kept, removed: [], found };
}

/** Removes what init wrote. Files that the user has changed stay and are listed in `kept`. */
export async function removeInit(options: InitOptions): Promise<InitReport> {
  const { root, state, dryRun } = options;
  const found = await readProject(root, options.path);
  const manifest = await readManifest(state);
  const files = manifest === null ? await likelyFiles(found, options) : hashesOf(manifest);
  const removed: string[] = [];
  const kept: string[] = [];
  for (const [path, hashes] of files) {
    const text = await read(join(root, path));
    if (text !== null) (hashes.includes(sha256(text)) ? removed : kept).push(path);
  }
  const restored = new Map<string, string | null>();
  for (const shared of allSharedFiles) {
    const { path } = shared;
    const text = await read(join(root, path));
    const edit = manifest?.edits[path];
    if (text === null || (manifest !== null && edit === undefined)) continue;
    const before = edit?.after === sha256(text) ? edit.before : withoutOurs(shared, text);
    if (before !== text) restored.set(path, before);
  }
  const report = { written: [], kept, removed: [...removed, ...restored.keys()], found };
  if (dryRun) return report;

  for (const path of removed) await rm(join(root, path));
  for (const [path, text] of restored) {
    if (text === null) await rm(join(root, path));
    else await write({ root, path, text, isNew: false });
  }
  const folders =
    manifest?.folders ?? foldersOf([...files.keys(), ...allSharedFiles.map(({ path }) => path)]);
  for (const folder of folders.toReversed()) await removeEmpty(join(root, folder));
  if (manifest !== null) await deleteManifest(state, manifest);
  return report;
}

type Hashes = ReadonlyMap<string, readonly string[]>;

function hashesOf({ files }: Manifest): Hashes {
  return new Map(Object.entries(files).map(([path, hash]) => [path, [hash]]));
}

/** Without a list, for example in another clone: the files that equal what init would write now, for any protocol. */
async function likelyFiles(found: InitProject, options: InitOptions): Promise<Hashes> {
  const hashes = new Map<string, string[]>();
  const bank = { protection: true };
  for (const session of [null, ...(["dptr", "riper"] as const).map((wire) => ({ wire, protocol: wire }))])
    for (const [path, text] of await ownFiles(found, { ...options, bank, session, envoy: true }))
      hashes.set(path, [...(hashes.get(path) ?? []), sha256(text)]);
  return hashes;
}

function hasSteps(earlier: Manifest | null): boolean {
  return Object.keys(earlier?.files ?? {}).some((path) => path.startsWith(stepsCopies));
}

/**
 * Whether an older version of Mettle wrote the file and it is unchanged. Only for the schema of the settings, in which editors
 * would mark new keys as wrong, and copies of the steps protocols. Every other file belongs to the user once it exists.
 */
async function isOutdated(file: {
  readonly root: string;
  readonly path: string;
  readonly text: string;
  readonly earlier: Manifest | null;
}): Promise<boolean> {
  if (file.path !== schemaPath && !file.path.startsWith(stepsCopies)) return false;
  const there = await read(join(file.root, file.path));
  return there !== null && there !== file.text && file.earlier?.files[file.path] === sha256(there);
}

type ManifestEntries = Pick<Manifest, "files" | "edits" | "folders">;

/** Adds the entries of this init to those of an earlier one. */
function merged(earlier: Manifest | null, now: ManifestEntries): Manifest {
  return {
    version: 1,
    files: { ...earlier?.files, ...now.files },
    edits: { ...earlier?.edits, ...now.edits },
    folders: [...new Set([...(earlier?.folders ?? []), ...now.folders])],
    stateFolder: earlier?.stateFolder ?? null,
  };
}

/** The text without what init added; null if nothing is left. */
function withoutOurs({ takeOut }: SharedFile, text: string | null): string | null {
  const left = text === null ? null : (takeOut(text) ?? text);
  return left === "" ? null : left;
}

/** The folders of some files, parents first. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  return [...new Set(folders)];
}

async function missingFolders(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const folder of foldersOf(paths)) if (!(await exists(join(root, folder)))) missing.push(folder);
  return missing;
}

async function write(file: { root: string; path: string; text: string; isNew: boolean }): Promise<void> {
  const place = join(file.root, file.path);
  try {
    if (file.isNew) await writeFile(place, file.text, { flag: "wx" });
    else await writeAtomically(place, file.text, { followsLink: true });
  } catch (cause) {
    throw new AppError("state_unwritable", `${file.path} cannot be written`, {
      hint: "make the repository's files writable, then run init again",
      cause,
    });
  }
}

/** init does not write through a link that leads out of the repository. */
async function refuseLinkOut(root: string, path: string): Promise<void> {
  const top = await realpath(root);
  for (let place = join(top, path); place !== top; place = dirname(place)) {
    if (!(await exists(place))) continue;
    const real = await realpath(place).catch(() => null); // A broken link counts as leading out.
    if (real?.startsWith(`${top}${sep}`) === true) return;
    throw new AppError("usage", `${relative(top, place)} is a link out of the repository`, {
      hint: "replace it with a real file or folder, then run init again; nothing was written",
    });
  }
}

/** null if there is no file. */
async function read(place: string): Promise<string | null> {
  try {
    return await readFile(place, "utf8");
  } catch (error) {
    if (!(await exists(place))) return null;
    throw error;
  }
}
