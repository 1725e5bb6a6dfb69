import { AppError } from "../../lib/errors.ts";
import { versionOf, type Schema } from "../schema.ts";
import type { SqlRow } from "../statements.ts";
import { notAStore } from "./postgres-error.ts";

/** Runs one statement, with values, or several without; returns the rows of the last one. */
export type Sql = (text: string, ...values: readonly unknown[]) => Promise<readonly SqlRow[]>;

/** The lock of all programs that migrate; the number is the word "mettle" in ASCII. */
const migrationLock = 0x6d6574746c65;
const oldestServer = 150_000;

/**
 * @returns the server's version
 * @throws store_unsupported for a server that is too old or cannot hold every text
 */
export async function refuseOldServer(sql: Sql, place: string): Promise<string> {
  const [row] = await sql(
    `SELECT current_setting('server_version_num')::int, current_setting('server_version'),
            current_setting('server_encoding')`,
  );
  const [number, version, encoding] = row ?? [];
  if (typeof number !== "number" || number < oldestServer)
    throw new AppError("store_unsupported", `the store ${place} is PostgreSQL ${String(version)}`, {
      hint: "Use PostgreSQL 15 or newer.",
    });
  if (encoding !== "UTF8")
    throw new AppError("store_unsupported", `the database ${place} has the encoding ${String(encoding)}`, {
      hint: "Create a database with the encoding UTF8, and name it in the URL of the store.",
    });
  return String(version);
}

/**
 * Brings the schema `mettle` to this program's version, inside the caller's transaction: of several programs that start at once
 * one migrates, and the others wait for it.
 * @throws journal_newer for a schema of a newer program, journal_corrupt for one of another program
 */
export async function migrate(sql: Sql, place: string, tables: Schema): Promise<void> {
  const wanted = versionOf(tables);
  if ((await foundVersion(sql, place)) === wanted) return;
  await sql("SELECT pg_advisory_xact_lock($1)", migrationLock);
  const found = await foundVersion(sql, place);
  refuseNewer(found, wanted, place);
  if (found === wanted) return;
  if (found === 0)
    await sql(`CREATE SCHEMA IF NOT EXISTS mettle;
      CREATE TABLE mettle.version (version INTEGER NOT NULL); INSERT INTO mettle.version VALUES (0)`);
  for (const text of tables.migrations.slice(found)) await sql(text);
  await sql("UPDATE mettle.version SET version = $1", wanted);
}

/** @throws journal_newer */
function refuseNewer(found: number, wanted: number, place: string): void {
  if (found <= wanted) return;
  throw new AppError(
    "journal_newer",
    `the store ${place} has version ${found}, this Mettle knows up to version ${wanted}`,
    {
      hint: "Use the newer Mettle that wrote it; the store was left as it is.",
      detail: { found, known: wanted },
    },
  );
}

/** The version of the schema without changing it, 0 for none. @throws journal_newer, journal_corrupt */
export async function schemaVersion(sql: Sql, place: string, tables: Schema): Promise<number> {
  const found = await foundVersion(sql, place);
  refuseNewer(found, versionOf(tables), place);
  return found;
}

/** One transaction creates tables and version, so tables without a version belong to another program. */
async function foundVersion(sql: Sql, place: string): Promise<number> {
  const [row] = await sql(
    `SELECT to_regclass('mettle.version') IS NOT NULL,
            EXISTS (SELECT FROM pg_tables WHERE schemaname = 'mettle')`,
  );
  const [isOurs, isOccupied] = row ?? [];
  if (isOurs !== true && isOccupied === true) throw notAStore(place);
  if (isOurs !== true) return 0;
  const [version] = await sql("SELECT version FROM mettle.version");
  return Number(version?.[0] ?? 0);
}
