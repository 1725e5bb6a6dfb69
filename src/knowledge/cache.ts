/**
 * Caches the analyses of files in a SQLite file of the state home. If the cache is damaged, locked or not writable, the documents
 * are read again; a search never fails because of it.
 */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Database } from "libsql";
import type { Analysis } from "./analysis.ts";

export interface CachedFile {
  /** Identifies the analysed state of the file; empty if the file must be read again. */
  readonly stamp: string;
  readonly analysis: Analysis;
}

export interface CacheContent {
  readonly terms: readonly string[];
  readonly files: ReadonlyMap<string, CachedFile>;
}

export interface Cache {
  readonly content: CacheContent;
  /** Writes a change. Does nothing if another process has written since `content` was read. */
  save(change: CacheChange): void;
  close(): void;
}

export interface CacheChange {
  readonly terms: readonly string[];
  readonly changed: ReadonlyMap<string, CachedFile>;
  readonly gone: readonly string[];
}

/** Increase it when the analysis changes. */
const version = 1;
const emptyContent: CacheContent = { terms: [], files: new Map() };

/** @param file null for no cache */
export async function openCache(file: string | null): Promise<Cache> {
  if (file === null) return noCache;
  const isNew = await stat(file).then(
    () => false,
    () => true,
  );
  const cache = (await tryOpen(file)) ?? (await recreate(file)) ?? noCache;
  if (isNew) await dropOldest(dirname(file)).catch(() => undefined); // old caches only use disk space
  return cache;
}

const noCache: Cache = { content: emptyContent, save: () => undefined, close: () => undefined };

/** Each checkout has a cache, and worktrees are short-lived. */
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

/** Deletes and recreates an unreadable cache. */
async function recreate(file: string): Promise<Cache | null> {
  try {
    await drop(file);
  } catch {
    return null; // not writable, for instance in a sandbox
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
        if (db.inTransaction) db.exec("ROLLBACK"); // disk full, locked or damaged: the next call reads the files again
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

/** Null for an empty cache or one of another version, which is then replaced. */
function stateOf(db: Database): State | null {
  // The cast is safe: a foreign table of this name fails here or has another version.
  const state = db.prepare("SELECT version, turn, CAST(terms AS BLOB) AS terms FROM state").get() as
    (Omit<State, "terms"> & { readonly terms: Buffer }) | undefined;
  return state?.version === version ? { ...state, terms: state.terms.toString("utf8") } : null;
}

function filesOf(db: Database): ReadonlyMap<string, CachedFile> {
  // Read as bytes, because libsql aborts the process on text that is not UTF-8.
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

/** Copies the bytes, because a row may not be aligned for 32-bit numbers. */
function numbersIn(bytes: Buffer): Analysis {
  const copy = new Uint8Array(bytes);
  return new Uint32Array(copy.buffer, 0, copy.length >>> 2);
}
