import { lockKey } from "../../../journal/postgres/lock-key.ts";
import type { Sql } from "../../../journal/postgres/migrate.ts";
import type { PostgresStore } from "../../../journal/postgres/store.ts";

/** A transaction that alone writes the graph of a repository. */
export interface GraphWrite {
  readonly sql: Sql;
  readonly repository: string;
}

/**
 * Runs `work` in a transaction while no other writes the graph of the repository. Readers do not wait. Where the connection breaks, it
 * runs again, unless the server says that the transaction was committed: then the result is that of the first time. So it is done
 * once, whatever others did in between.
 */
export function writeGraph<T>(
  { repository, write }: PostgresStore,
  work: (on: GraphWrite) => Promise<T>,
): Promise<T> {
  const key = lockKey(repository, "knowledge graph");
  let before: { readonly transaction: string; readonly result: T } | null = null;
  return write(
    async (sql) => {
      // A statement of its own: the next ones see what the writer before has committed.
      const [row] = await sql("SELECT pg_current_xact_id()::text, pg_advisory_xact_lock($1)", key);
      if (before !== null && (await isCommitted(sql, before.transaction))) return before.result;
      const result = await work({ sql, repository });
      before = { transaction: String(row?.[0]), result };
      return result;
    },
    { isRepeatable: true },
  );
}

/** Asks about a transaction that held the lock, so it has ended. A server that took over may not know it. */
async function isCommitted(sql: Sql, transaction: string): Promise<boolean> {
  const [row] = await sql(
    `SELECT CASE WHEN $1::xid8 < pg_snapshot_xmax(pg_current_snapshot()) THEN pg_xact_status($1::xid8) END`,
    transaction,
  );
  return row?.[0] === "committed";
}
