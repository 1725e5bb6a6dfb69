/**
 * Signs of life for the claims of this process: about every second one statement for all claims on a server. It has a connection of its
 * own, so that no slow statement holds it up, and keeps no process alive. Nothing runs while nothing is claimed.
 */
import { setTimeout as pause } from "node:timers/promises";
import type Pg from "pg";
import type { Pool } from "pg";
import { version } from "../../config/version.ts";
import { ignoreBreaksIn } from "./closing.ts";

export interface RenewalOptions {
  readonly url: string;
  /** How long a server may be away. While it is, no process can take a claim. */
  readonly patienceMs: number;
}

export interface RenewedClaim {
  readonly token: string;
  /** Another process has the claim now. */
  taken(): void;
  /** Nothing was renewed for as long as a server may be away. @param cause the newest failure */
  cutOff(cause: unknown): void;
}

export interface Renewals {
  /** Renews a new claim until it is lost or the returned function is called. */
  keep(claim: RenewedClaim): () => void;
  /** Releases a claim as soon as the server is back: on its own host it would be held for as long as this process lives. */
  releaseLater(token: string): void;
}

const everyMs = 1000;
/** After a failure: a living process gives a sign soon after the server is back (see `watchMs` of claims.ts). */
const retryMs = 250;
/** Bound of connecting, and of an answer. */
const answerMs = 1000;

const known = new Map<string, Renewals>();

export function renewalsOf(options: RenewalOptions): Renewals {
  const key = JSON.stringify([options.url, options.patienceMs]);
  const renewals = known.get(key) ?? newRenewals(options);
  known.set(key, renewals);
  return renewals;
}

function newRenewals({ url, patienceMs }: RenewalOptions): Renewals {
  /** With the time of the newest sign, by a monotonic clock. */
  const kept = new Map<RenewedClaim, number>();
  const released = new Set<string>();
  let pool: Pool | null = null;
  let isRunning = false;
  /** Aborts with the connection: without it the holder looks dead to others. */
  let broken = new AbortController();

  const drop = (claim: RenewedClaim) => {
    kept.delete(claim);
    disconnectIdle();
  };
  const disconnectIdle = () => {
    if (kept.size + released.size > 0 || pool === null) return;
    void pool.end().catch(() => undefined); // the connection is broken
    pool = null;
  };

  /** @returns whether the server answered */
  const renew = async (pg: typeof Pg): Promise<boolean> => {
    const claims = [...kept.keys()];
    const asked = performance.now();
    try {
      pool ??= newPool(pg, url, () => broken.abort());
      for (const token of released) {
        await pool.query(releaseClaim, [token]);
        released.delete(token);
      }
      const renewed = await tokensOf(pool, claims);
      for (const claim of claims.filter((each) => kept.has(each))) {
        if (renewed.has(claim.token)) kept.set(claim, asked);
        else {
          drop(claim);
          claim.taken();
        }
      }
      disconnectIdle();
      return true;
    } catch (error) {
      for (const [claim, newest] of kept) {
        if (performance.now() - newest <= patienceMs) continue;
        drop(claim);
        claim.cutOff(error);
      }
      return false;
    }
  };

  const run = async (): Promise<void> => {
    const { default: pg } = await import("pg"); // loaded already
    let waitMs = everyMs;
    for (;;) {
      await pause(waitMs, undefined, { ref: false, signal: broken.signal }).catch(() => undefined);
      broken = new AbortController();
      if (kept.size + released.size === 0) break;
      waitMs = (await renew(pg)) ? everyMs : retryMs;
    }
    isRunning = false;
  };

  const start = () => {
    if (isRunning) return;
    isRunning = true;
    void run();
  };

  return {
    keep(claim) {
      kept.set(claim, performance.now());
      start();
      return () => drop(claim);
    },
    releaseLater(token) {
      released.add(token);
      start();
    },
  };
}

export const releaseClaim = "UPDATE mettle.claims SET token = NULL WHERE token = $1";

/** The tokens that are still current; their claims have the server's time of now. */
async function tokensOf(pool: Pool, claims: readonly RenewedClaim[]): Promise<ReadonlySet<unknown>> {
  const { rows } = await pool.query<{ token: string }>(
    "UPDATE mettle.claims SET seen = clock_timestamp(), backend = pg_backend_pid() WHERE token = ANY($1) RETURNING token",
    [claims.map(({ token }) => token)],
  );
  return new Set(rows.map(({ token }) => token));
}

function newPool(pg: typeof Pg, url: string, onBreak: () => void): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `mettle claims ${version()}`, // `mettle doctor --store` reads it
    max: 1,
    keepAlive: true,
    allowExitOnIdle: true,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: answerMs,
    statement_timeout: answerMs,
    query_timeout: answerMs,
    // The newest sign may be lost in a crash of the server, and must not wait for its disk.
    options: "-c synchronous_commit=off",
  });
  ignoreBreaksIn(pool);
  pool.on("error", onBreak);
  return pool;
}
