/**
 * The id of a repository in the state home. It is derived from the path when the state is created, and stored in the git
 * directory, so that a renamed or moved repository finds its runs.
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

/** The readable part of the id. */
export function repositoryName(root: string): string {
  const name = basename(root)
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return name === "" ? "repository" : name;
}

/** The stored id of a git directory; null: none, or the directory is a copy of another one. */
export function storedId(gitDir: string): string | null {
  const stored = readStored(gitDir);
  if (stored === null) return null;
  const isCopy = stored.gitDir !== gitDir && readStored(stored.gitDir)?.id === stored.id;
  return isCopy ? null : stored.id;
}

/**
 * Stores the id of a repository whose state is opened, and returns it.
 * @param ownerFile returns the file in the state home of an id that names its git directory
 */
export function storeId(
  { root, gitDir }: { readonly root: string; readonly gitDir: string },
  ownerFile: (id: string) => string,
): string {
  const usual = repositoryId(root, gitDir);
  const isTaken = isOfAnother(ownerFile(usual), { id: usual, gitDir });
  const id = isTaken ? `${repositoryName(root)}-${shortHash(newId(20))}` : usual;
  const stored = readStored(gitDir);
  if (stored?.gitDir !== gitDir || stored.id !== id) write(join(gitDir, idFile), `${id}\n${gitDir}\n`);
  return id;
}

/** Removes the stored id, when the state of the repository is removed. */
export function forgetId(gitDir: string): void {
  rmSync(join(gitDir, idFile), { force: true });
}

/** Records the git directory that a state home belongs to. */
export function recordOwner(file: string, gitDir: string): void {
  if (readText(file) !== `${gitDir}\n`) write(file, `${gitDir}\n`);
}

const idFile = "mettle-id";

/** Whether the state belongs to another repository, which was moved away from this path. */
function isOfAnother(
  ownerFile: string,
  { id, gitDir }: { readonly id: string; readonly gitDir: string },
): boolean {
  const owner = readText(ownerFile)?.trimEnd();
  return owner !== undefined && owner !== gitDir && readStored(owner)?.id === id;
}

interface StoredId {
  readonly id: string;
  /** Path of the git directory when the id was stored. */
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
    return undefined; // missing
  }
}

/** Writes atomically. */
function write(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Without a stored id the repository has the id of its path.
  }
}

/** Eight hex digits. */
function shortHash(text: string): string {
  return sha256(text).slice("sha256:".length, "sha256:".length + 8);
}
