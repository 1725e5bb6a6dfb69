/**
 * A lock across processes. SQLite locks an empty file, so the operating system releases the lock when its holder is killed, and no
 * code has to check whether the holder is alive.
 */
import type { Database } from "libsql";
import { isBusy } from "../journal/store-error.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";

const maxWaitMs = 60_000;

/** @param file the lock file, created if missing; nothing else may open it */
export async function withLock<T>(file: string, work: () => Promise<T>, waitMs = maxWaitMs): Promise<T> {
  const { default: Libsql } = await import("libsql");
  const db = open(Libsql, file);
  try {
    const end = systemClock.now() + waitMs;
    for (let pause = 2; !tryLock(db, file); pause = Math.min(pause * 1.5, 25)) {
      if (systemClock.now() >= end) throw busyError(file);
      await systemClock.sleep(pause);
    }
    return await work();
  } finally {
    db.close();
  }
}

type Opener = new (file: string, options: { readonly timeout: number }) => Database;

function open(Libsql: Opener, file: string): Database {
  try {
    return new Libsql(file, { timeout: 0 });
  } catch (cause) {
    throw unwritableError(file, cause);
  }
}

/** False if another process holds the lock. */
function tryLock(db: Database, file: string): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (cause) {
    if (isBusy(cause)) return false;
    throw unwritableError(file, cause);
  }
}

function unwritableError(file: string, cause: unknown): AppError {
  return new AppError("state_unwritable", `${file} cannot be locked`, {
    hint: "make the plan's folder writable",
    cause,
  });
}

function busyError(file: string): AppError {
  return new AppError("plan_busy", `another process holds ${file}`, {
    hint: "try again; if it stays locked, end the hanging process",
    retry: "safe",
  });
}
