import { checksum } from "./checksum.ts";
import { conflict, corrupt, notAJournal } from "./journal-error.ts";
import type { StoredEvent } from "./journal.ts";
import { asRow, type Statements } from "./statements.ts";
import { isCorrupt, isRefused } from "./store-error.ts";

/** An event as it is stored, before its checksum. */
export interface Line extends Omit<StoredEvent, "data"> {
  readonly json: string;
}

/** The seq of the newest event, and what the row of the run says it is: equal unless something is lost. */
export interface Ends {
  readonly newest: number;
  readonly recorded: number;
}

/** The rows of events and runs, and what is said when they are damaged. */
export function eventRows({ file }: { readonly file: string }, sql: Statements) {
  const ends = (run: string): Ends => {
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
    const { newest, recorded } = lastOr({ newest: 0, recorded: 0 }, () => ends(run));
    const end = Math.max(newest, recorded);
    const good: number[] = [];
    for (let seq = 1; seq <= end; seq++) {
      const [line] = lastOr(null, () => sql.first(single, run, seq)) ?? [];
      if (typeof line === "string" && eventOf(run, seq, line.split("\u001f")) !== null) good.push(seq);
    }
    const bad = good.findIndex((seq, index) => seq !== index + 1);
    return corrupt(
      { file, run, seq: (bad === -1 ? good.length : bad) + 1, readable: stretches(good) },
      cause,
    );
  };

  const naming = <T>(run: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw isCorrupt(error) ? damage(run, error) : error;
    }
  };

  const expectHead = (run: string, after: number): void =>
    naming(run, () => {
      const { newest, recorded } = ends(run);
      if (newest !== recorded) throw damage(run);
      if (newest !== after) throw conflict(run, after, newest);
    });

  /** The tables refuse what does not follow the newest event; why is asked only then. */
  const insert = ({ run, seq, at, type, json }: Line, after: number): void => {
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
    naming(run, () => {
      const found: StoredEvent[] = [];
      for (let from = after; ; from += batchSize) {
        const [lines] = sql.first(batch, run, from, from + batchSize) ?? [];
        if (typeof lines !== "string") break;
        for (const line of lines.split("\n")) {
          const event = eventOf(run, after + found.length + 1, line.split("\u001f"));
          if (event === null) throw damage(run);
          found.push(event);
        }
      }
      const { newest, recorded } = ends(run);
      if (newest !== recorded || found.length !== Math.max(0, newest - after)) throw damage(run);
      return found;
    });

  const runs = (): readonly string[] => {
    const select =
      "SELECT run, head, (SELECT max(seq) FROM events WHERE events.run = runs.run) FROM runs ORDER BY id";
    return [...sql.each(select)].map((row) => {
      const [run, head, found] = asRow(row) ?? [];
      if (typeof run !== "string" || head !== found) throw notAJournal(file);
      return run;
    });
  };

  return { ends, expectHead, insert, events, runs };
}

const row = "seq || char(31) || crc || char(31) || at || char(31) || type || char(31) || data";
const single = `SELECT ${row} FROM events WHERE run = ? AND seq = ?`;
/**
 * Many rows in one text: handing over each value by itself takes longer than reading it. JSON holds neither a raw
 * line break nor U+001F; a damaged row that does fails its checksum.
 */
const batch = `SELECT group_concat(${row}, char(10)) FROM (
  SELECT seq, crc, at, type, data FROM events WHERE run = ? AND seq > ? AND seq <= ? ORDER BY seq)`;
const batchSize = 500;

/** The event of a row; null when it is damaged or not the one with `seq`. */
function eventOf(run: string, seq: number, fields: readonly string[]): StoredEvent | null {
  const [found, crc, at, type, json] = fields;
  if (at === undefined || type === undefined || json === undefined || found !== String(seq)) return null;
  if (crc !== String(checksum(run, seq, at, type, json))) return null;
  // Parsed together: a piece of the batch would keep the whole batch in memory.
  const [time, kind, data]: [string, string, unknown] = JSON.parse(`["${at}","${type}",${json}]`);
  return { run, seq, at: time, type: kind, data };
}

function stretches(seqs: readonly number[]): (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const seq of seqs) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === seq - 1) last[1] = seq;
    else found.push([seq, seq]);
  }
  return found;
}

/** What the bad page does not tell counts as unreadable. */
function lastOr<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isCorrupt(error)) return fallback;
    throw error;
  }
}
