import { checksum } from "../checksum.ts";
import { afterPrefix, damageOf, eventOf, type EventRow, type Heads } from "../event-rows.ts";
import { conflict } from "../journal-error.ts";
import type { StoredEvent } from "../journal.ts";
import type { Sql } from "./migrate.ts";
import { notAStore } from "./postgres-error.ts";
import type { PostgresStore } from "./store.ts";

export interface Writer {
  readonly run: string;
  /** The call, which knows its events again. */
  readonly append: string;
  /** Of the claim under which it writes; null: none. */
  readonly token: string | null;
}

const currentClaim = "SELECT token FROM mettle.claims WHERE token = $1 FOR KEY SHARE";

/** Reads and writes the rows of events and runs, and reports damage. */
export function eventRows({ place, repository, sql }: PostgresStore) {
  const ends = async (run: string): Promise<Heads> => {
    const [row] = await sql(
      `SELECT (SELECT coalesce(max(seq), 0) FROM mettle.events WHERE repository = $1 AND run = $2),
              (SELECT coalesce(max(head), 0) FROM mettle.runs WHERE repository = $1 AND run = $2)`,
      repository,
      run,
    );
    return { newest: Number(row?.[0]), recorded: Number(row?.[1]) };
  };

  /** Rows `at, type, data, crc, seq`. Events are never changed, so those up to a head are the same in every later statement. */
  const rowsOf = (run: string, after: number, upTo: number) =>
    sql(
      `SELECT at, type, data, crc, seq FROM mettle.events
       WHERE repository = $1 AND run = $2 AND seq > $3 AND seq <= $4 ORDER BY seq`,
      repository,
      run,
      after,
      upTo,
    );

  const damage = async (run: string, cause?: unknown) => {
    const { newest, recorded } = await ends(run);
    const rows = await rowsOf(run, 0, Math.max(newest, recorded));
    const good = rows.flatMap((row) => eventOf(run, Number(row[4]), row)?.seq ?? []);
    return damageOf({ file: place, run }, good, cause);
  };

  return {
    ends,

    /**
     * Inserts the events in order; the tables refuse one that does not follow the newest. The row of the claim stays locked to the end of
     * the transaction, so that the claim is taken before it or after it (SCL-05). Without the claim the tables refuse the events as
     * out of order, so that nothing else of the transaction is committed.
     */
    async insert(on: Sql, lines: readonly EventRow[], { run, append, token }: Writer): Promise<void> {
      await on(
        `WITH claim AS (${token === null ? "SELECT $1::text AS token" : currentClaim})
         INSERT INTO mettle.events (append, repository, run, seq, at, type, data, crc)
         SELECT $2, $3, line.run, CASE WHEN $1 IS NULL OR claim.token IS NOT NULL THEN line.seq END, at, type, data, crc
         FROM unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::bigint[]) AS line (run, seq, at, type, data, crc)
           LEFT JOIN claim ON true
         ORDER BY line.seq`,
        token,
        append,
        repository,
        lines.map((line) => line.run),
        lines.map(({ seq }) => seq),
        lines.map(({ at }) => at),
        lines.map(({ type }) => type),
        lines.map(({ json }) => json),
        lines.map(({ seq, at, type, json }) => checksum(run, seq, at, type, json)),
      );
    },

    /** Whether the claim is not another's; then it stays so to the end of the transaction. */
    async isCurrent(on: Sql, token: string): Promise<boolean> {
      return (await on(currentClaim, token)).length > 0;
    },

    /** Whether this call wrote the event after `after`: its connection broke after the commit, and it ran again. */
    async isWritten(run: string, after: number, append: string): Promise<boolean> {
      const found = await sql(
        "SELECT FROM mettle.events WHERE repository = $1 AND run = $2 AND seq = $3 AND append = $4",
        repository,
        run,
        after + 1,
        append,
      );
      return found.length > 0;
    },

    /** @throws journal_conflict, or journal_corrupt where the tables contradict themselves */
    async expectHead(run: string, after: number): Promise<void> {
      const { newest, recorded } = await ends(run);
      if (newest !== recorded) throw await damage(run);
      if (newest !== after) throw conflict(run, after, newest);
    },

    damage,

    async events(run: string, after: number): Promise<readonly StoredEvent[]> {
      const { newest, recorded } = await ends(run);
      const rows = await rowsOf(run, after, newest);
      const found = rows.flatMap((row, index) => eventOf(run, after + index + 1, row) ?? []);
      if (newest !== recorded || found.length !== Math.max(0, newest - after)) throw await damage(run);
      return found;
    },

    /** Once ended, a run stays so: harmless to repeat. */
    async end(on: Sql, run: string): Promise<void> {
      await on("UPDATE mettle.runs SET ended = true WHERE repository = $1 AND run = $2", repository, run);
    },
    async openRuns(): Promise<readonly string[]> {
      const rows = await sql(
        "SELECT run FROM mettle.runs WHERE repository = $1 AND NOT ended ORDER BY id",
        repository,
      );
      return rows.map(([run]) => String(run));
    },
    async newestRun(): Promise<string | null> {
      const [row] = await sql(
        "SELECT run FROM mettle.runs WHERE repository = $1 ORDER BY id DESC LIMIT 1",
        repository,
      );
      return row === undefined ? null : String(row[0]);
    },

    async runsNamed(prefix: string, max: number): Promise<readonly string[]> {
      const rows = await sql(
        "SELECT run FROM mettle.runs WHERE repository = $1 AND run >= $2 AND run < $3 ORDER BY run LIMIT $4",
        repository,
        prefix,
        afterPrefix(prefix),
        max,
      );
      return rows.map(([run]) => String(run));
    },

    async runs(newest: number | null = null): Promise<readonly string[]> {
      const rows = await sql(
        `SELECT run, head, (SELECT max(seq) FROM mettle.events AS event WHERE event.repository = $1 AND event.run = one.run)
         FROM mettle.runs AS one WHERE repository = $1 ORDER BY id DESC LIMIT $2`,
        repository,
        newest,
      );
      const runs = rows.map(([run, head, found]) => {
        if (typeof run !== "string" || head !== found) throw notAStore(place);
        return run;
      });
      return runs.toReversed();
    },
  };
}
