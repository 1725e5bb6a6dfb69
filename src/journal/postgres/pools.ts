/**
 * The connections of this process: one pool for each URL, shared by all that have a store open there, and ended with the last of
 * them. So a host with journal, observations and graph needs no more connections than the journal alone.
 */
import type Pg from "pg";
import type { Pool } from "pg";
import { bounded, ignoreBreaksIn } from "./closing.ts";

export interface PoolOptions {
  readonly url: string;
  /** Bound of every wait. */
  readonly patienceMs: number;
}

export interface SharedPool {
  readonly pool: Pool;
  /** The last one to call it ends the pool. A second call does nothing. */
  release(): Promise<void>;
}

interface Entry {
  readonly pool: Pool;
  users: number;
}

const maxConnectMs = 5000;
const maxConnections = 4;

const entries = new Map<string, Entry>();

export async function takePool({ url, patienceMs }: PoolOptions): Promise<SharedPool> {
  const { default: pg } = await import("pg"); // loaded only when a store is opened
  const key = JSON.stringify([url, patienceMs]);
  const entry = entries.get(key) ?? { pool: newPool(pg, { url, patienceMs }), users: 0 };
  entries.set(key, entry);
  entry.users += 1;
  let isReleased = false;
  return {
    pool: entry.pool,
    async release() {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users > 0) return;
      entries.delete(key);
      await bounded(entry.pool.end());
    },
  };
}

function newPool(pg: typeof Pg, { url, patienceMs }: PoolOptions): Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number); // ids and checksums, below 2^53
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "mettle",
    max: maxConnections,
    types,
    keepAlive: true,
    pipeline: true, // statements that wait for no other one are sent at once
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(patienceMs, maxConnectMs),
    lock_timeout: patienceMs,
    // The bound with the best error ends first: the lock, then the server, then this client, for a server that hangs.
    statement_timeout: patienceMs + 1000,
    query_timeout: patienceMs + 2000,
    idle_in_transaction_session_timeout: patienceMs + 1000,
    options: "-c synchronous_commit=on",
  });
  ignoreBreaksIn(pool);
  return pool;
}
