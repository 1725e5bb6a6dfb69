import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { versionOf, type Schema } from "../schema.ts";
import { placeOf } from "./address.ts";
import { migrate, refuseOldServer, schemaVersion, type Sql } from "./migrate.ts";
import { isAway, isDeadlock, postgresError } from "./postgres-error.ts";
import { takePool, type PoolOptions } from "./pools.ts";
import { renewalsOf, type Renewals } from "./renewals.ts";
import { postgresSchema } from "./schema.ts";

/**
 * Owns the connections to PostgreSQL: opening, version, migration, transactions, bounds, repeats and error codes. The other
 * files of this folder own the rows.
 */
export interface PostgresStore {
  /** `host:port/database`, for messages. */
  readonly place: string;
  /** Whose rows are read and written. */
  readonly repository: string;
  /** One statement, which is durable when it resolves. It may be sent again, so it must be harmless to repeat. */
  readonly sql: Sql;
  /**
   * Runs `work` in one transaction, which is durable when it resolves.
   * @param options `isRepeatable` says that `work` may run again after its connection broke, even if it was committed
   */
  write<T>(work: (sql: Sql) => Promise<T>, options: { readonly isRepeatable: boolean }): Promise<T>;
  /**
   * Runs statements that need no result of each other in one transaction: they and the commit are sent at once, for one round trip.
   * A statement of `work` that must prevent the commit has to fail in the server. `work` may run again, also after it was committed.
   */
  writeAtOnce(work: (sql: Sql) => readonly Promise<unknown>[]): Promise<void>;
  /** Of the claims of this process. */
  readonly renewals: Renewals;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** May have a password: never in a message. */
  readonly url: string;
  readonly repository: string;
  /** Maximum wait for another process's lock, and for a server that went away. Default 10 s. */
  readonly lockTimeoutMs?: number;
  /** Only migration tests override it. */
  readonly schema?: Schema;
}

const pauseMs = 100;
/** A command that begins waits less than a run that has begun. */
const maxOpenMs = 5000;

/** @throws store_unreachable, store_unsupported, journal_newer, journal_corrupt, state_unwritable, config_invalid */
export async function openPostgres(options: PostgresOptions): Promise<PostgresStore> {
  const place = placeOf(options.url);
  const patienceMs = options.lockTimeoutMs ?? 10_000;
  const shared = await takePool({ url: options.url, patienceMs });
  const { pool } = shared;

  /** The bound was reached: until the server answers again nothing waits so long, so that the end of a program does not. */
  let isGone = false;

  /** Repeats after trouble of the connection that may pass, until the bound. */
  const repeat = async <T>(attempt: () => Promise<T>, isRepeatable: boolean, ms = patienceMs): Promise<T> => {
    const end = performance.now() + (isGone ? 0 : ms);
    for (;;) {
      try {
        const result = await attempt();
        isGone = false;
        return result;
      } catch (error) {
        const mayRepeat = isDeadlock(error) || (isAway(error) && isRepeatable);
        const isLate = performance.now() >= end;
        if (isAway(error) && isLate) isGone = true;
        if (!mayRepeat || isLate) throw postgresError(error, place);
        await pause(pauseMs);
      }
    }
  };

  const write: PostgresStore["write"] = (work, { isRepeatable }) =>
    repeat(() => transaction(pool, work), isRepeatable);

  try {
    await repeat(
      () =>
        transaction(pool, async (sql) => {
          await refuseOldServer(sql, place);
          await migrate(sql, place, options.schema ?? postgresSchema);
        }),
      true,
      Math.min(patienceMs, maxOpenMs),
    );
  } catch (error) {
    await shared.release();
    throw error;
  }

  return {
    place,
    repository: options.repository,
    sql: (text, ...values) => repeat(() => statement(pool, text, values), true),
    write,
    writeAtOnce: (work) => repeat(() => transactionAtOnce(pool, work), true),
    renewals: renewalsOf({ url: options.url, patienceMs }),
    close: shared.release,
  };
}

export interface FoundStore {
  readonly place: string;
  /** Of the server. */
  readonly server: string;
  /** Of Mettle's tables: `old` ones are migrated when the store is opened. */
  readonly tables: "missing" | "old" | "current";
}

/** Looks at a store and changes nothing. @throws as `openPostgres` */
export async function findPostgres({ url, patienceMs }: PoolOptions): Promise<FoundStore> {
  const place = placeOf(url);
  const { pool, release } = await takePool({ url, patienceMs });
  try {
    const sql: Sql = (text, ...values) => statement(pool, text, values);
    const server = await refuseOldServer(sql, place);
    const version = await schemaVersion(sql, place, postgresSchema);
    const tables = version === 0 ? "missing" : version < versionOf(postgresSchema) ? "old" : "current";
    return { place, server, tables };
  } catch (error) {
    throw postgresError(error, place);
  } finally {
    await release();
  }
}

async function transaction<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    // Sent with the first statement, which fails with it.
    client.query("BEGIN").catch(() => undefined);
    const result = await work((text, ...values) => statement(client, text, values));
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // Closing the connection ends the transaction, whatever state it is in.
    client.release(true);
    throw error;
  }
}

async function transactionAtOnce(pool: Pool, work: (sql: Sql) => readonly Promise<unknown>[]): Promise<void> {
  const client = await pool.connect();
  const sent = [
    client.query("BEGIN"),
    ...work((text, ...values) => statement(client, text, values)),
    client.query("COMMIT"), // rolls back after a statement that failed
  ];
  const failed = (await Promise.allSettled(sent)).find((one) => one.status === "rejected");
  client.release(failed !== undefined);
  if (failed !== undefined) throw failed.reason;
}

async function statement(
  on: Pool | PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly (readonly unknown[])[]> {
  // Without values the server accepts several statements.
  const query = { text, rowMode: "array" as const };
  const result = await on.query<unknown[]>(values.length === 0 ? query : { ...query, values: [...values] });
  return [result].flat().at(-1)?.rows ?? [];
}
