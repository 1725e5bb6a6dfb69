import type { AppError } from "../lib/errors.ts";
import { checksum } from "./checksum.ts";
import { conflict, corrupt, notAJournal, type Damage } from "./journal-error.ts";
import type { StoredEvent } from "./journal.ts";
import { asRow, type SqlRow, type Statements } from "./statements.ts";
import { isCorrupt, isRefused } from "./store-error.ts";

/** A stored event without its checksum. */
export interface EventRow extends Omit<StoredEvent, "data"> {
  readonly json: string;
}

/** The seq of the newest event, and the head recorded in the run's row: equal unless events are lost. */
export interface Heads {
  readonly newest: number;
  readonly recorded: number;
}

/** Reads and writes the rows of events and runs, and reports damage. */
export function eventRows({ file }: { readonly file: string }, sql: Statements) {
  const ends = (run: string): Heads => {
    const [newest, recorded] =
      sql.first(
        `SELECT (SELECT coalesce(max(seq), 0) FROM events WHERE run = ?1),
                (SELECT coalesce(max(head), 0) FROM runs WHERE run = ?1)`,
        run,
      ) ?? [];
    return { newest: Number(newest ?? 0), recorded: Number(recorded ?? 0) };
  };

  /** Reads row by row, so that one bad page does not hide the good ones. */
  const damage = (run: string, cause?: unknown) => {
    const { newest, recorded } = orIfCorrupt({ newest: 0, recorded: 0 }, () => ends(run));
    const end = Math.max(newest, recorded);
    const select = "SELECT at, type, data, crc FROM events WHERE run = ? AND seq = ?";
    const good: number[] = [];
    for (let seq = 1; seq <= end; seq++) {
      if (orIfCorrupt(null, () => eventOf(run, seq, sql.first(select, run, seq))) !== null) good.push(seq);
    }
    return damageOf({ file, run }, good, cause);
  };

  const withDamageReport = <T>(run: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw isCorrupt(error) ? damage(run, error) : error;
    }
  };

  const expectHead = (run: string, after: number): void =>
    withDamageReport(run, () => {
      const { newest, recorded } = ends(run);
      if (newest !== recorded) throw damage(run);
      if (newest !== after) throw conflict(run, after, newest);
    });

  /** The tables refuse an event that does not follow the newest one; the reason is determined only then. */
  const insert = ({ run, seq, at, type, json }: EventRow, after: number): void => {
    const text = "INSERT INTO events (run, seq, at, type, data, crc) VALUES (?, ?, ?, ?, ?, ?)";
    try {
      sql.run(text, run, seq, at, type, json, checksum(run, seq, at, type, json));
    } catch (error) {
      if (!isRefused(error)) throw isCorrupt(error) ? damage(run, error) : error;
      expectHead(run, after);
      throw damage(run, error); // the tables contradict themselves
    }
  };

  const events = (run: string, after: number): readonly StoredEvent[] =>
    withDamageReport(run, () => {
      const found: StoredEvent[] = [];
      let seq = after + 1;
      const select = "SELECT at, type, data, crc, seq FROM events WHERE run = ? AND seq > ? ORDER BY seq";
      for (const row of sql.each(select, run, after)) {
        const event = eventOf(run, seq, asRow(row));
        if (event !== null) found.push(event);
        seq += 1;
      }
      const { newest, recorded } = ends(run);
      if (newest !== recorded || found.length !== Math.max(0, newest - after)) throw damage(run);
      return found;
    });

  const runs = (newest = -1): readonly string[] => {
    const select =
      "SELECT run, head, (SELECT max(seq) FROM events WHERE events.run = runs.run) FROM runs ORDER BY id DESC LIMIT ?";
    const found = [...sql.each(select, newest)].map((row) => {
      const [run, head, found] = asRow(row) ?? [];
      if (typeof run !== "string" || head !== found) throw notAJournal(file);
      return run;
    });
    return found.toReversed();
  };

  /** @param select gives the column `run` */
  const named = (select: string, ...values: readonly (string | number)[]): readonly string[] =>
    [...sql.each(select, ...values)].map((row) => {
      const [run] = asRow(row) ?? [];
      if (typeof run !== "string") throw notAJournal(file);
      return run;
    });

  return {
    ends,
    expectHead,
    insert,
    events,
    runs,
    end: (run: string): void => sql.run("UPDATE runs SET ended = 1 WHERE run = ?", run),
    runsNamed: (prefix: string, max: number) =>
      named(
        "SELECT run FROM runs WHERE run >= ? AND run < ? ORDER BY run LIMIT ?",
        prefix,
        afterPrefix(prefix),
        max,
      ),
    openRuns: () => named("SELECT run FROM runs WHERE ended = 0 ORDER BY id"),
    newestRun: () => named("SELECT run FROM runs ORDER BY id DESC LIMIT 1").at(0) ?? null,
  };
}

/** Comes after all texts that begin with this one: both stores compare texts byte by byte. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** The event of a row `at, type, data, crc[, seq]`; null when it is damaged or not the one with `seq`. */
export function eventOf(run: string, seq: number, row: SqlRow | null): StoredEvent | null {
  const [at, type, data, crc, found = seq] = row ?? [];
  if (typeof at !== "string" || typeof type !== "string" || typeof data !== "string") return null;
  if (found !== seq || crc !== checksum(run, seq, at, type, data)) return null;
  return { run, seq, at, type, data: JSON.parse(data) };
}

/** @param good the seqs of the events that can be read */
export function damageOf(
  { file, run }: Pick<Damage, "file" | "run">,
  good: readonly number[],
  cause?: unknown,
): AppError {
  const bad = good.findIndex((seq, index) => seq !== index + 1);
  return corrupt({ file, run, seq: (bad === -1 ? good.length : bad) + 1, readable: ranges(good) }, cause);
}

function ranges(seqs: readonly number[]): (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const seq of seqs) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === seq - 1) last[1] = seq;
    else found.push([seq, seq]);
  }
  return found;
}

/** Data on a damaged page counts as unreadable. */
function orIfCorrupt<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isCorrupt(error)) return fallback;
    throw error;
  }
}
