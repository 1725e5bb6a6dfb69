import { checksum } from "../checksum.ts";
import { dialogueOf, sessionTaken, type Dialogue, type NewDialogue } from "../dialogues.ts";
import type { Observation, ObservationPattern } from "../observation-line.ts";
import { observationOf, type NewObservation } from "../observations.ts";
import type { Sql } from "./migrate.ts";
import { isDuplicate } from "./postgres-error.ts";
import type { PostgresStore } from "./store.ts";

export interface Written {
  readonly repository: string;
  readonly at: string;
}

/**
 * Inserts observations under the next ids of the repository, and returns the first id.
 * @param append the call that does it alone, so that it knows them again; null within an append of events
 */
export async function insertObservations(
  sql: Sql,
  { repository, at, append }: Written & { readonly append: string | null },
  entries: readonly NewObservation[],
): Promise<number> {
  const contents = entries.map(({ content }) => JSON.stringify(content));
  const [first] = await sql(
    `WITH last AS (
       INSERT INTO mettle.repositories AS one (repository, observations) VALUES ($1, $2)
       ON CONFLICT (repository) DO UPDATE SET observations = one.observations + excluded.observations
       RETURNING observations
     )
     INSERT INTO mettle.observations (repository, append, at, id, session, round, agent, content, crc)
     SELECT $1, $3, $4, last.observations - $2 + line.place, session, round, agent, content, crc
     FROM last, unnest($5::text[], $6::int[], $7::text[], $8::text[], $9::bigint[])
       WITH ORDINALITY AS line (session, round, agent, content, crc, place)
     RETURNING id`,
    repository,
    entries.length,
    append,
    at,
    entries.map(({ session }) => session),
    entries.map(({ round }) => round),
    entries.map(({ agent }) => agent),
    contents,
    entries.map(({ session, round, agent }, index) =>
      checksum(session, round, agent, at, contents[index] ?? ""),
    ),
  );
  return Number(first?.[0]);
}

interface Selection {
  readonly pattern: ObservationPattern;
  readonly after: number;
  /** -1: all. */
  readonly limit: number;
}

export async function selectObservations(
  { place, repository, sql }: PostgresStore,
  { pattern, after, limit }: Selection,
): Promise<readonly Observation[]> {
  const rows = await sql(
    `SELECT id, session, round, agent, at, content, crc FROM mettle.observations
     WHERE repository = $1 AND id > $2 AND session = coalesce($3, session) AND round = coalesce($4, round)
       AND agent = coalesce($5, agent) AND at = coalesce($6, at)
     ORDER BY id LIMIT $7`,
    repository,
    after,
    pattern.session,
    pattern.round,
    pattern.agent,
    pattern.at,
    limit < 0 ? null : limit,
  );
  return rows.map((row) => observationOf(place, row));
}

/** @throws session_taken */
export async function openDialogue(
  sql: Sql,
  { repository, at }: Written,
  { name, kind, run }: NewDialogue & { readonly run: string },
): Promise<void> {
  const text =
    "INSERT INTO mettle.dialogues (repository, name, kind, run, opened) VALUES ($1, $2, $3, $4, $5)";
  try {
    await sql(text, repository, name, kind, run, at);
  } catch (error) {
    throw isDuplicate(error) ? sessionTaken(name) : error;
  }
}

export async function closeDialogue(sql: Sql, { repository, at }: Written, name: string): Promise<void> {
  await sql(
    "UPDATE mettle.dialogues SET closed = $3 WHERE repository = $1 AND name = $2 AND closed IS NULL",
    repository,
    name,
    at,
  );
}

export async function selectDialogues(
  { repository, sql }: PostgresStore,
  run?: string,
): Promise<readonly Dialogue[]> {
  const rows = await sql(
    `SELECT name, kind, run, opened, closed FROM mettle.dialogues
     WHERE repository = $1 AND run = coalesce($2, run) ORDER BY id`,
    repository,
    run ?? null,
  );
  return rows.map((row) => dialogueOf(row));
}
