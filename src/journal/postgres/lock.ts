import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { placeOf } from "./address.ts";
import { bounded, ignoreBreaks } from "./closing.ts";
import { lockKey } from "./lock-key.ts";
import { isAway, isLocked, postgresError } from "./postgres-error.ts";
import type { PostgresOptions } from "./store.ts";

export interface StoreLock {
  /** The same on all hosts; a lock of its own in each repository. */
  readonly name: string;
  /** Bound of the wait for another holder. */
  readonly waitMs: number;
  /** The error after that time. */
  readonly busy: () => Error;
  /** Asks again and again: work that builds indexes waits for all open statements, also for one that waits for the lock. */
  readonly asks?: boolean;
}

/**
 * Runs `work` while no other program on any host holds the lock. It belongs to a connection of its own, so the server frees it when its
 * holder is killed, and within half a minute when the holder's host is gone.
 *
 * When that connection breaks during the work, the lock is free, and the result of the work is kept all the same: the lock keeps others
 * waiting, but proves nothing. What two hosts must never both do needs a compare-and-set where it is done, such as an append.
 *
 * @param store the store is not opened by it
 * @returns what `work` returns
 * @throws the caller's error for a lock that is held; store_unreachable and the other errors of connections before the work starts
 */
export async function withStoreLock<T>(
  store: Pick<PostgresOptions, "url" | "repository">,
  lock: StoreLock,
  work: () => Promise<T>,
): Promise<T> {
  const client = await lockedClient(store, lock);
  try {
    return await work();
  } finally {
    // Frees the lock before the session ends, so that the next one need not wait for that.
    await bounded(client.query("SELECT pg_advisory_unlock_all()"));
    await bounded(client.end());
  }
}

const pauseMs = 100;
/** How long a server may be away, as for the store. */
const awayMs = 10_000;
/** Bound of all that is no wait for the lock: connecting, and an answer that does not come. */
const answerMs = 5000;

async function lockedClient(
  { url, repository }: Pick<PostgresOptions, "url" | "repository">,
  { name, waitMs, busy, asks = false }: StoreLock,
): Promise<Client> {
  const place = placeOf(url);
  const until = performance.now() + waitMs;
  /** Since when the server does not answer. */
  let awayFrom: number | null = null;
  for (;;) {
    const client = await newClient(url, Math.max(1, Math.ceil(until - performance.now())));
    try {
      await client.connect();
      awayFrom = null;
      if (!asks) await client.query("SELECT pg_advisory_lock($1)", [lockKey(repository, name)]);
      else if (!(await tryLock(client, lockKey(repository, name), until))) throw busy();
      return client;
    } catch (error) {
      await bounded(client.end());
      if (isLocked(error)) throw busy();
      const now = performance.now();
      awayFrom ??= now;
      if (!isAway(error) || now >= until || now - awayFrom >= awayMs) throw postgresError(error, place);
      await pause(pauseMs);
    }
  }
}

async function tryLock(client: Client, key: unknown, until: number): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      key,
    ]);
    if (rows[0]?.locked === true) return true;
    if (performance.now() >= until) return false;
    await pause(pauseMs);
  }
}

/** Nothing but its end ends the session; a host that is gone is noticed after 25 s. */
const session = [
  "statement_timeout=0",
  "idle_session_timeout=0",
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
];

/** Loads pg only when a lock is taken. */
async function newClient(url: string, waitMs: number): Promise<Client> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "mettle lock",
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    lock_timeout: waitMs,
    query_timeout: waitMs + answerMs, // the client's own bound, for a server that hangs
    options: session.map((setting) => `-c ${setting}`).join(" "),
  });
  ignoreBreaks(client); // see withStoreLock
  return client;
}
