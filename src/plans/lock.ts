/**
 * A lock across processes. SQLite locks an empty file, so the operating system releases the lock when its holder is killed, and no
 * code has to check whether the holder is alive. Where runs are in a shared store, the same lock of all hosts is held there as well
 * (SCL-01).
 */
import { basename, dirname, relative } from "node:path";
import type { Database } from "libsql";
import { findCheckout } from "../config/find-checkout.ts";
import { stateHome } from "../config/home.ts";
import { repositoryId } from "../config/repository-id.ts";
import { urlOf, type SharedPlace } from "../config/store-place.ts";
import { isBusy } from "../journal/store-error.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";

const maxWaitMs = 60_000;

/** @param file the lock file in a repository, created if missing; nothing else may open it */
export async function withLock<T>(file: string, work: () => Promise<T>, waitMs = maxWaitMs): Promise<T> {
  const shared = sharedLock(file);
  return withLocalLock(
    file,
    shared === null ? work : () => withSharedLock(shared, { waitMs, busy: () => busyError(file) }, work),
    waitMs,
  );
}

interface SharedLock {
  readonly place: SharedPlace;
  /** The path of the lock file in the repository, equal on all hosts. */
  readonly name: string;
}

/** Null where runs are local. Needs no git, since it is asked at each write. */
function sharedLock(file: string): SharedLock | null {
  const found = findCheckout(dirname(file));
  if (found === null) return null;
  const root = basename(found.gitDir) === ".git" ? dirname(found.gitDir) : found.gitDir;
  const { store } = stateHome({ repository: repositoryId(root, found.gitDir) });
  return store.kind === "local" ? null : { place: store, name: relative(found.top, file) };
}

async function withSharedLock<T>(
  { place, name }: SharedLock,
  wait: { readonly waitMs: number; readonly busy: () => Error },
  work: () => Promise<T>,
): Promise<T> {
  const { withStoreLock } = await import("../journal/postgres/lock.ts");
  return withStoreLock({ url: urlOf(place), repository: place.repository }, { name, ...wait }, work);
}

async function withLocalLock<T>(file: string, work: () => Promise<T>, waitMs: number): Promise<T> {
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
