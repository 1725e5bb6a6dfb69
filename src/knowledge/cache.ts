/**
 * Keeps the analyses of files between calls, in a SQLite file of its own in the state home. Only a cache: whatever is wrong with
 * it, the documents are read anew, and a search never fails or waits because of it.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Database } from "libsql";
import type { Analysis } from "./analysis.ts";

export interface CachedFile {
  /** Of which state of the file; empty where it must be read again. */
  readonly stamp: string;
  readonly analysis: Analysis;
}

export interface CacheContent {
  readonly terms: readonly string[];
  readonly files: ReadonlyMap<string, CachedFile>;
}

export interface Cache {
  readonly content: CacheContent;
  /** Writes the difference. Does nothing if another process wrote since `content` was read. */
  save(change: CacheChange): void;
  close(): void;
}

export interface CacheChange {
  readonly terms: readonly string[];
  readonly changed: ReadonlyMap<string, CachedFile>;
  readonly gone: readonly string[];
}

/** Another way to analyse a text is another version. */
const version = 1;
const emptyContent: CacheContent = { terms: [], files: new Map() };

/** @param file null keeps nothing */
export async function openCache(file: string | null): Promise<Cache> {
  if (file === null) return noCache;
  const isNew = await stat(file).then(
    () => false,
    () => true,
  );
  const cache = (await tryOpen(file)) ?? (await recreate(file)) ?? noCache;
  if (isNew) await dropOldest(dirname(file)).catch(() => undefined); // they only take room
  return cache;
}

const noCache: Cache = { content: emptyContent, save: () => undefined, close: () => undefined };

/** Each checkout has a cache, and worktrees come and go. */
const maxCaches = 20;

async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".db"));
  const files = await Promise.all(
    names.map(async (name) => ({ file: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  );
  for (const { file } of files.toSorted((a, b) => b.time - a.time).slice(maxCaches)) await drop(file);
}

async function drop(file: string): Promise<void> {
  for (const ending of ["", "-wal", "-shm"]) await rm(file + ending, { force: true });
}

/** What cannot be read is of no worth. */
async function recreate(file: string): Promise<Cache | null> {
  try {
    await drop(file);
  } catch {
    return null; // not ours to write, as in a sandbox
  }
  return tryOpen(file);
}

async function tryOpen(file: string): Promise<Cache | null> {
  let db: Database | null = null;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const { default: Libsql } = await import("libsql");
    db = new Libsql(file, { timeout: 2_000 });
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    return cacheOn(db);
  } catch {
    db?.close();
    return null;
  }
}

function cacheOn(db: Database): Cache {
  db.exec(`CREATE TABLE IF NOT EXISTS state (version INTEGER, turn INTEGER, terms TEXT);
    CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, analysis BLOB NOT NULL)`);
  db.exec("BEGIN");
  const state = stateOf(db);
  const content = state === null ? emptyContent : { terms: wordsOf(state.terms), files: filesOf(db) };
  db.exec("COMMIT");
  return {
    content,
    save(change) {
      try {
        db.exec("BEGIN IMMEDIATE");
        if (stateOf(db)?.turn === state?.turn) write(db, change, (state?.turn ?? 0) + 1);
        db.exec("COMMIT");
      } catch {
        if (db.inTransaction) db.exec("ROLLBACK"); // full, locked or damaged: the next call reads the files again
      }
    },
    close: () => void db.close(),
  };
}

interface State {
  readonly version: number;
  readonly turn: number;
  readonly terms: string;
}

/** Null also where another version wrote, whose content is then replaced. */
function stateOf(db: Database): State | null {
  // The columns are those of the table that was made above; a foreign table of this name fails here or has no such version.
  const state = db.prepare("SELECT version, turn, CAST(terms AS BLOB) AS terms FROM state").get() as
    (Omit<State, "terms"> & { readonly terms: Buffer }) | undefined;
  return state?.version === version ? { ...state, terms: state.terms.toString("utf8") } : null;
}

function filesOf(db: Database): ReadonlyMap<string, CachedFile> {
  // As bytes, since libsql ends the process at a text that is no UTF-8.
  const select = "SELECT CAST(path AS BLOB), CAST(stamp AS BLOB), analysis FROM files";
  const rows = db.prepare(select).raw().all() as [Buffer, Buffer, Buffer][];
  return new Map(
    rows.map(([path, stamp, bytes]) => [
      path.toString("utf8"),
      { stamp: stamp.toString("utf8"), analysis: numbersIn(bytes) },
    ]),
  );
}

function write(db: Database, { terms, changed, gone }: CacheChange, turn: number): void {
  if (turn === 1) db.exec("DELETE FROM files");
  db.exec("DELETE FROM state");
  db.prepare("INSERT INTO state VALUES (?, ?, ?)").run(version, turn, terms.join("\n"));
  const remove = db.prepare("DELETE FROM files WHERE path = ?");
  for (const path of gone) remove.run(path);
  const put = db.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?)");
  for (const [path, { stamp, analysis }] of changed) put.run(path, stamp, bytesOf(analysis));
}

function wordsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function bytesOf({ buffer, byteOffset, byteLength }: Analysis): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Copied, since the bytes of a row need not lie where numbers may. */
function numbersIn(bytes: Buffer): Analysis {
  const copy = new Uint8Array(bytes);
  return new Uint32Array(copy.buffer, 0, copy.length >>> 2);
}
