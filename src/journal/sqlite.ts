import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import { checksum } from "./checksum.ts";
import { conflict, corrupt, jsonOf, notAJournal, runBusy } from "./journal-error.ts";
import type { Claim, Journal, Owner, StoredEvent } from "./journal.ts";
import { isCorrupt, isRefused } from "./store-error.ts";
import type { Store } from "./store.ts";

export interface JournalDeps {
  readonly clock: Clock;
  /** Whether a claim's owner still runs; see config/owner.ts. */
  readonly alive: (owner: Owner) => boolean;
}

/** The Journal port on SQLite. Owns the rows of events, runs, claims and views. */
export function sqliteJournal(store: Store, { clock, alive }: JournalDeps): Journal {
  const rows = rowsOf(store);

  return {
    async append(run, after, events) {
      const at = new Date(clock.now()).toISOString();
      const lines = events.map(({ type, data }, index) => ({ run, seq: after + index + 1, at, type, json: jsonOf(data) }));
      const insert = () => {
        if (lines.length === 0) rows.expectHead(run, after);
        for (const line of lines) rows.insert(line, after);
      };
      // One statement is a transaction of its own, and half as slow.
      await (lines.length === 1 ? store.statement(insert) : store.write(insert));
      return lines.map(({ json, ...line }) => ({ ...line, data: JSON.parse(json) }));
    },

    read: (run, after = 0) => store.read(() => rows.events(run, after)),
    head: (run) => store.statement(() => rows.ends(run).newest),
    runs: () => store.statement(() => rows.runs()),

    claim: (run, owner) =>
      store.write(() => {
        const holder = rows.holder(run);
        if (holder !== null && alive(holder)) throw runBusy(run, holder);
        const token = newId(16);
        rows.hold(run, owner, token);
        return { run, release: () => store.write(() => rows.release(run, token)) } satisfies Claim;
      }),

    owner: async (run) => {
      const holder = await store.statement(() => rows.holder(run));
      return holder !== null && alive(holder) ? holder : null;
    },

    readView: (run, name) => store.read(() => rows.view(run, name)),
    writeView: (run, name, seq, value) => store.writeCache(() => rows.keepView(run, { name, seq, value: jsonOf(value) })),
    deleteViews: () => store.writeCache(() => rows.dropViews()),
    close: () => store.close(),
  };
}

function rowsOf(store: Store) {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  const prepare = (text: string) => {
    const statement = store.db.prepare(text);
    return statement.reader ? statement.raw() : statement;
  };
  const sql = (text: string) => {
    const known = prepared.get(text) ?? prepare(text);
    prepared.set(text, known);
    return known;
  };
  const one = (text: string, ...values: readonly unknown[]): Row | null => asRow(sql(text).get(...values));

  /** The seq of the newest event, and what the row of the run says it is: equal unless something is lost. */
  const ends = (run: string): Ends => {
    const row = one(
      `SELECT (SELECT coalesce(max(seq), 0) FROM events WHERE run = ?1), (SELECT coalesce(max(head), 0) FROM runs WHERE run = ?1)`,
      run,
    );
    return { newest: number(row?.[0]) ?? 0, recorded: number(row?.[1]) ?? 0 };
  };

  /** Reads row by row, so that one bad page does not hide the good ones. */
  const damage = (run: string, cause?: unknown) => {
    const { newest, recorded } = lastOr({ newest: 0, recorded: 0 }, () => ends(run));
    const end = Math.max(newest, recorded);
    const good: number[] = [];
    for (let seq = 1; seq <= end; seq++) {
      const event = lastOr(null, () => eventOf(run, seq, one("SELECT at, type, data, crc FROM events WHERE run = ? AND seq = ?", run, seq)));
      if (event !== null) good.push(seq);
    }
    const seq = good.findIndex((value, index) => value !== index + 1) + 1 || good.length + 1;
    return corrupt({ file: store.file, run, seq, readable: stretches(good) }, cause);
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
  const insert = (line: Line, after: number, again = true): void => {
    const { run, seq, at, type, json } = line;
    try {
      const crc = checksum(run, seq, at, type, json);
      sql("INSERT INTO events (run, seq, at, type, data, crc) VALUES (?, ?, ?, ?, ?, ?)").run(run, seq, at, type, json, crc);
    } catch (error) {
      if (!isRefused(error)) throw isCorrupt(error) ? damage(run, error) : error;
      expectHead(run, after);
      // Another process has just appended what was missing, or the tables contradict themselves.
      if (!again) throw damage(run, error);
      insert(line, after, false);
    }
  };

  return {
    ends,
    expectHead,
    insert,

    events: (run: string, after: number): readonly StoredEvent[] =>
      naming(run, () => {
        const found: StoredEvent[] = [];
        let next = after + 1;
        const select = sql("SELECT at, type, data, crc, seq FROM events WHERE run = ? AND seq > ? ORDER BY seq");
        // To the end in any case: a statement left in the middle would keep its lock.
        for (const row of select.iterate(run, after)) {
          const event = eventOf(run, next, asRow(row));
          if (event !== null) found.push(event);
          next += 1;
        }
        const { newest, recorded } = ends(run);
        if (newest !== recorded || found.length !== Math.max(0, newest - after)) throw damage(run);
        return found;
      }),

    runs(): readonly string[] {
      const all = sql("SELECT run, head, (SELECT max(seq) FROM events WHERE events.run = runs.run) FROM runs ORDER BY id").all();
      return all.map((row) => {
        const [run, head, found] = asRow(row) ?? [];
        if (typeof run !== "string" || head !== found) throw notAJournal(store.file);
        return run;
      });
    },

    holder(run: string): Owner | null {
      const row = one("SELECT pid, started FROM claims WHERE run = ?", run);
      const pid = number(row?.[0]);
      const started = string(row?.[1]);
      return pid === null || started === null ? null : { pid, started };
    },

    hold(run: string, owner: Owner, token: string): void {
      sql("INSERT OR REPLACE INTO claims (run, pid, started, token) VALUES (?, ?, ?, ?)").run(run, owner.pid, owner.started, token);
    },

    release(run: string, token: string): void {
      sql("DELETE FROM claims WHERE run = ? AND token = ?").run(run, token);
    },

    /** A damaged view, or one that is ahead of the events, is as good as none. */
    view(run: string, name: string): { readonly seq: number; readonly value: unknown } | null {
      const row = one("SELECT seq, value, crc FROM views WHERE run = ? AND name = ?", run, name);
      const seq = number(row?.[0]);
      const value = string(row?.[1]);
      if (seq === null || value === null || row?.[2] !== checksum(run, name, seq, value) || seq > ends(run).newest) return null;
      return { seq, value: JSON.parse(value) };
    },

    keepView(run: string, { name, seq, value }: { readonly name: string; readonly seq: number; readonly value: string }): void {
      sql(
        `INSERT INTO views (run, name, seq, value, crc) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (run, name) DO UPDATE SET seq = excluded.seq, value = excluded.value, crc = excluded.crc
         WHERE excluded.seq >= views.seq`,
      ).run(run, name, seq, value, checksum(run, name, seq, value));
    },

    dropViews(): void {
      sql("DELETE FROM views").run();
    },
  };
}

type Row = readonly unknown[];

interface Ends {
  readonly newest: number;
  readonly recorded: number;
}

/** An event as it is stored, before its checksum. */
interface Line extends Omit<StoredEvent, "data"> {
  readonly json: string;
}

function asRow(value: unknown): Row | null {
  return Array.isArray(value) ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function string(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The event of a row `at, type, data, crc[, seq]`; null when it is damaged or not the one with `seq`. */
function eventOf(run: string, seq: number, row: Row | null): StoredEvent | null {
  const [at, type, data, crc, found = seq] = row ?? [];
  if (typeof at !== "string" || typeof type !== "string" || typeof data !== "string" || found !== seq) return null;
  if (crc !== checksum(run, seq, at, type, data)) return null;
  return { run, seq, at, type, data: JSON.parse(data) };
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
