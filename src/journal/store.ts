import { access, constants, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Database } from "libsql";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { dataLossRisk, notAJournal } from "./journal-error.ts";
import { schema, versionOf, type Schema } from "./schema.ts";
import { isBusy, storeError } from "./store-error.ts";
import { walDamage } from "./wal.ts";

/**
 * Owns the file `mettle.db`: opening, version, backup, migration, transactions, retries and error codes. It only migrates
 * tables; sqlite.ts and observations.ts own the rows.
 */
export interface Store {
  readonly file: string;
  readonly db: Database;
  /**
   * Runs `work` in one transaction that holds the write lock. `work` may run again if the file was locked.
   * The only way to write: in libsql, a statement outside a transaction that hits a lock stays half done, and later
   * writes of the connection are never committed.
   */
  write<T>(work: () => T): Promise<T>;
  /** Like `write`, but a power cut may lose it: for caches only. */
  writeCache<T>(work: () => T): Promise<T>;
  /** Runs several selects on one snapshot. */
  read<T>(work: () => T): Promise<T>;
  /** Runs one select. */
  select<T>(work: () => T): Promise<T>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** The folder of `mettle.db`; created if missing. */
  readonly home: string;
  readonly clock: Clock;
  /** Maximum wait for another process's lock. Default 10 s. */
  readonly lockTimeoutMs?: number;
  /** Only migration tests override it. */
  readonly schema?: Schema;
}

/** SQLite's own wait, which blocks the event loop; the rest of the wait does not. */
const busyMs = 50;
const pauseMs = 10;
/** Pages of the write-ahead log after which SQLite checkpoints and restarts the log. */
const logPages = 200;

export async function openStore(options: StoreOptions): Promise<Store> {
  const file = join(options.home, "mettle.db");
  const tables = options.schema ?? schema;
  const maxAttempts = Math.max(1, Math.ceil((options.lockTimeoutMs ?? 10_000) / (busyMs + pauseMs)));
  try {
    await refuseUnusable(options.home, file);
  } catch (error) {
    throw storeError(error, file);
  }

  const retry = async <T>(work: () => T): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || attempt >= maxAttempts) throw storeError(error, file);
        await pause(pauseMs);
      }
    }
  };

  const connect = await connector(file);
  const db = connect(file);
  try {
    await retry(() => prepare(db, { file, tables, clock: options.clock, connect }));
  } catch (error) {
    db.close();
    throw error;
  }

  return {
    file,
    db,
    write: (work) => retry(() => transaction(db, "IMMEDIATE", work)),
    writeCache: (work) =>
      retry(() => {
        db.exec("PRAGMA synchronous = NORMAL");
        try {
          return transaction(db, "IMMEDIATE", work);
        } finally {
          db.exec("PRAGMA synchronous = FULL");
        }
      }),
    read: (work) => retry(() => transaction(db, "DEFERRED", work)),
    select: retry,
    close: async () => void db.close(),
  };
}

/**
 * Refuses an unusable file before SQLite touches it. Never opens it: closing a second descriptor would drop the locks of
 * another connection of this process.
 */
async function refuseUnusable(home: string, file: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  await refuseLoss(home, file);
}

/** SQLite treats an empty file as new and discards a damaged log: both would silently lose runs. */
async function refuseLoss(home: string, file: string): Promise<void> {
  const found = await stat(file).catch(() => null); // does not exist yet
  if (found?.size === 0 && (await readdir(join(home, "payloads")).catch(() => [])).length > 0)
    throw dataLossRisk(file, "it is empty, and texts of its runs are there");
  const damage = await walDamage(file);
  if (damage !== null) throw dataLossRisk(file, damage);
}

type Connect = (path: string) => Database;

/** Loads libsql, which is native code, only when a store is opened, so that importing the journal is cheap. */
async function connector(file: string): Promise<Connect> {
  const { default: Libsql } = await import("libsql");
  return (path) => {
    try {
      return new Libsql(path, { timeout: busyMs });
    } catch (cause) {
      throw new AppError("state_unwritable", `${file} cannot be opened`, {
        hint: "Make the state home readable and writable for this user, or set METTLE_HOME to another folder.",
        cause,
      });
    }
  };
}

interface PrepareOptions {
  readonly file: string;
  readonly tables: Schema;
  readonly clock: Clock;
  readonly connect: Connect;
}

function prepare(db: Database, { file, tables, clock, connect }: PrepareOptions): void {
  const wanted = versionOf(tables);
  const found = ownVersion(db, file);
  if (found > wanted) {
    // Part of it may be only in the WAL. A read-only connection prevents this close from checkpointing it.
    const keeper = connect(`${pathToFileURL(file).href}?mode=ro`);
    userVersion(keeper);
    db.close();
    keeper.close();
    throw newerVersion(file, found, wanted);
  }
  if (found < wanted) {
    db.exec("PRAGMA journal_mode = WAL");
    transaction(db, "IMMEDIATE", () => migrate(db, { file, tables, clock, connect }));
  }
  db.exec("PRAGMA synchronous = FULL");
  // A log that restarts early does not grow, and syncing it is cheaper.
  db.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
}

/** Runs under the write lock, so that only one of several processes migrates. */
function migrate(db: Database, { file, tables, clock, connect }: PrepareOptions): void {
  const wanted = versionOf(tables);
  const found = ownVersion(db, file);
  if (found > wanted) throw newerVersion(file, found, wanted);
  if (found === wanted) return;
  if (found > 0)
    backUp(connect, {
      file,
      version: found,
      stamp: new Date(clock.now()).toISOString().replace(/[-:.]/g, ""),
    });
  for (const sql of tables.migrations.slice(found)) db.exec(sql);
  db.exec(`PRAGMA user_version = ${wanted}`);
}

/** A second connection reads the last committed state; the first one's lock keeps it unchanged. */
function backUp(
  connect: Connect,
  copy: { readonly file: string; readonly version: number; readonly stamp: string },
): void {
  const reader = connect(copy.file);
  try {
    reader.prepare("VACUUM INTO ?").run(`${copy.file}.v${copy.version}-${copy.stamp}.backup`);
  } finally {
    reader.close();
  }
}

function transaction<T>(db: Database, kind: "IMMEDIATE" | "DEFERRED", work: () => T): T {
  db.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk rolls back automatically.
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** One transaction creates tables and version, so tables without a version belong to another program. */
function ownVersion(db: Database, file: string): number {
  const occupied = db.prepare("SELECT 1 FROM sqlite_master").get() !== undefined;
  const version = userVersion(db);
  if (occupied && version === 0) throw notAJournal(file);
  return version;
}

function userVersion(db: Database): number {
  const row = db.prepare("PRAGMA user_version").raw().get();
  const version: unknown = Array.isArray(row) ? row[0] : undefined;
  return typeof version === "number" ? version : 0;
}

function newerVersion(file: string, found: number, known: number): AppError {
  return new AppError(
    "journal_newer",
    `${file} has version ${found}, this Mettle knows up to version ${known}`,
    {
      hint: "Use the newer Mettle that wrote it; the file was left as it is.",
      detail: { found, known },
    },
  );
}
