/**
 * What a repository is called in the state home. The name is made of its place when its state begins, and kept in its git
 * directory, so that a folder that is renamed or moved finds its runs again.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { newId } from "../lib/ids.ts";
import { sha256 } from "../lib/hash.ts";

/**
 * `<name>-<8 hex>`
 * @param root top level of the main checkout
 * @param gitDir the common git directory
 */
export function repositoryId(root: string, gitDir: string): string {
  return storedId(gitDir) ?? `${repositoryName(root)}-${shortHash(gitDir)}`;
}

/** The part of it that a person knows. */
export function repositoryName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return name === "" ? "repository" : name;
}

/** The id that this git directory was given, wherever it was then; null where it has none, or was copied from another. */
export function storedId(gitDir: string): string | null {
  const kept = readStored(gitDir);
  if (kept === null) return null;
  const isCopy = kept.gitDir !== gitDir && readStored(kept.gitDir)?.id === kept.id;
  return isCopy ? null : kept.id;
}

/**
 * Keeps the id of a repository whose state is opened, and returns it.
 * @param ownerFile in the state home of an id, where the git directory is noted that it belongs to
 */
export function storeId(
  { root, gitDir }: { readonly root: string; readonly gitDir: string },
  ownerFile: (id: string) => string,
): string {
  const usual = repositoryId(root, gitDir);
  const isTaken = isOfAnother(ownerFile(usual), { id: usual, gitDir });
  const id = isTaken ? `${repositoryName(root)}-${shortHash(newId(20))}` : usual;
  const kept = readStored(gitDir);
  if (kept?.gitDir !== gitDir || kept.id !== id) write(join(gitDir, idFile), `${id}\n${gitDir}\n`);
  return id;
}

/** For a repository whose state is removed. */
export function forgetId(gitDir: string): void {
  rmSync(join(gitDir, idFile), { force: true });
}

/** Notes whose state a folder holds, once it is there. */
export function recordOwner(file: string, gitDir: string): void {
  if (readText(file) !== `${gitDir}\n`) write(file, `${gitDir}\n`);
}

const idFile = "mettle-id";

/** A repository that was renamed has taken its state along, and another one came into its place. */
function isOfAnother(
  ownerFile: string,
  { id, gitDir }: { readonly id: string; readonly gitDir: string },
): boolean {
  const owner = readText(ownerFile)?.trimEnd();
  return owner !== undefined && owner !== gitDir && readStored(owner)?.id === id;
}

interface StoredId {
  readonly id: string;
  /** Where the git directory was when this was written. */
  readonly gitDir: string;
}

function readStored(gitDir: string): StoredId | null {
  const [id = "", place = ""] = readText(join(gitDir, idFile))?.split("\n") ?? [];
  return /^[A-Za-z0-9_-]{1,60}$/.test(id) && place !== "" ? { id, gitDir: place } : null;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // none yet
  }
}

/** Whole or not at all. */
function write(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // A git directory that cannot be written keeps the id of its place.
  }
}

/** Eight hex digits. */
function shortHash(text: string): string {
  return sha256(text).slice("sha256:".length, "sha256:".length + 8);
}
