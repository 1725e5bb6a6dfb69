/** Looks at a shared store as its operator would, and changes nothing (SCL-10). */
import { placeOf } from "./address.ts";
import { postgresError } from "./postgres-error.ts";
import { takePool } from "./pools.ts";
import { findPostgres, type FoundStore } from "./store.ts";

export interface StoreFacts extends FoundStore {
  /** A replica, or a database or user that may only read. */
  readonly isReadOnly: boolean;
  /** Of the server against this host, in milliseconds; positive: the server is ahead. Exact to half a round trip. */
  readonly clockMs: number;
  readonly roundTripMs: number;
  readonly connections: { readonly used: number; readonly max: number };
  /** Rights that the user lacks, as SQL names them. */
  readonly missingRights: readonly string[];
  /** Null: no job was ever submitted. */
  readonly jobs: { readonly waiting: number; readonly working: number } | null;
  readonly workers: readonly LiveWorker[];
  readonly keys: readonly StoredKey[];
}

export interface LiveWorker {
  readonly name: string;
  /** Of its Mettle; null: it began within the last second, or has another user in the database, or is older than this column. */
  readonly version: string | null;
}

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly isRevoked: boolean;
}

const patienceMs = 3000;
const leaseMs = 4000;

/** @param now the time of this host, in milliseconds @throws config_invalid and the codes of `openPostgres` */
export async function inspectStore(url: string, now: () => number): Promise<StoreFacts> {
  const place = placeOf(url);
  const found = await findPostgres({ url, patienceMs });
  const { pool, release } = await takePool({ url, patienceMs });
  const sql = async <Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> =>
    (await pool.query(text, [...values])).rows as readonly Row[];
  try {
    await sql("SELECT 1"); // the connection is made
    const asked = now();
    const [first] = await sql<{ at: number; isReadOnly: boolean; used: number; max: number }>(
      `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at,
         pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
         current_setting('max_connections')::int AS max`,
    );
    const roundTripMs = now() - asked;
    const { at = 0, isReadOnly = false, used = 0, max = 0 } = first ?? {};
    const missingRights = (await sql<{ right: string }>(rights)).map(({ right }) => right);
    const mayRead = found.tables !== "missing" && missingRights.length === 0;
    return {
      ...found,
      isReadOnly,
      clockMs: Math.round(at - asked - roundTripMs / 2),
      roundTripMs,
      connections: { used, max },
      missingRights,
      jobs: missingRights.length === 0 ? await jobsIn(sql) : null,
      workers: mayRead && found.tables === "current" ? await sql<LiveWorker>(liveWorkers, leaseMs) : [],
      keys: mayRead ? await keysIn(sql) : [],
    };
  } catch (error) {
    throw postgresError(error, place);
  } finally {
    await release();
  }
}

type Sql = <Row>(text: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

async function jobsIn(sql: Sql): Promise<StoreFacts["jobs"]> {
  const tables = await sql("SELECT WHERE to_regclass('mettle_jobs.workflow_status') IS NOT NULL");
  if (tables.length === 0) return null;
  const [jobs] = await sql<{ waiting: number; working: number }>(
    `SELECT count(*) FILTER (WHERE status <> 'PENDING')::int AS waiting, count(*) FILTER (WHERE status = 'PENDING')::int AS working
     FROM mettle_jobs.workflow_status WHERE status IN ('ENQUEUED', 'DELAYED', 'PENDING') AND name IN ('run', 'command')`,
  );
  return jobs ?? null;
}

async function keysIn(sql: Sql): Promise<readonly StoredKey[]> {
  const tables = await sql("SELECT WHERE to_regclass('mettle.keys') IS NOT NULL");
  if (tables.length === 0) return [];
  return sql<StoredKey>(
    `SELECT id, name, revoked_at IS NOT NULL AS "isRevoked" FROM mettle.keys ORDER BY place`,
  );
}

/** A worker makes and migrates its own tables, so its user owns both schemas, or makes them. */
const rights = `
  SELECT need.what AS right FROM (VALUES ('mettle'), ('mettle_jobs')) AS schema (name)
  LEFT JOIN pg_namespace AS found ON found.nspname = schema.name
  CROSS JOIN LATERAL (
    SELECT 'CREATE ON DATABASE ' || current_database() AS what
      WHERE found.oid IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')
    UNION SELECT 'USAGE, CREATE ON SCHEMA ' || schema.name
      WHERE found.oid IS NOT NULL AND NOT has_schema_privilege(found.oid, 'USAGE, CREATE')
    UNION SELECT 'SELECT, INSERT, UPDATE ON ' || schema.name || '.' || relname FROM pg_class
      WHERE relnamespace = found.oid AND relkind = 'r' AND NOT (has_table_privilege(pg_class.oid, 'SELECT')
        AND (relname = 'version' OR has_table_privilege(pg_class.oid, 'INSERT'))
        AND (relname IN ('version', 'events', 'observations', 'payloads', 'keys') OR has_table_privilege(pg_class.oid, 'UPDATE')))
  ) AS need GROUP BY need.what ORDER BY need.what`;

const liveWorkers = `
  SELECT claim.run AS name, nullif(split_part(activity.application_name, ' ', 3), '') AS version
  FROM mettle.claims AS claim LEFT JOIN pg_stat_activity AS activity
    ON activity.pid = claim.backend AND activity.application_name LIKE 'mettle claims%'
  WHERE claim.repository = '*workers' AND claim.token IS NOT NULL
    AND abs(extract(epoch FROM clock_timestamp() - claim.seen) * 1000) < $1 ORDER BY claim.run`;
