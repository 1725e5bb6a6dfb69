/**
 * The tables of `mettle.db` and how an older file becomes a newer one.
 * `migrations[n]` takes a file of version n to n + 1; a released entry never changes.
 */
export interface Schema {
  readonly migrations: readonly string[];
}

export const schema: Schema = {
  migrations: [
    `
    CREATE TABLE events (
      run TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at TEXT NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      crc INTEGER NOT NULL,
      PRIMARY KEY (run, seq)
    ) STRICT;
    -- One row per run: the order of runs, and the newest seq, so that lost last events are noticed.
    CREATE TABLE runs (id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, head INTEGER NOT NULL) STRICT;

    -- Compare-and-append in the database itself: the next event of a run, or none.
    CREATE TRIGGER events_follow BEFORE INSERT ON events
      WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE run = NEW.run)
        OR NEW.seq IS NOT (SELECT coalesce(max(head), 0) + 1 FROM runs WHERE run = NEW.run)
      BEGIN SELECT RAISE(ABORT, 'events are appended without gaps'); END;
    CREATE TRIGGER events_head AFTER INSERT ON events BEGIN
      INSERT INTO runs (run, head) VALUES (NEW.run, NEW.seq) ON CONFLICT (run) DO UPDATE SET head = NEW.seq;
    END;
    CREATE TRIGGER events_keep BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_stay BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

    CREATE TABLE claims (run TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, token TEXT NOT NULL) STRICT;

    -- Caches of folds. Dropping every row loses nothing.
    CREATE TABLE views (
      run TEXT NOT NULL,
      name TEXT NOT NULL,
      seq INTEGER NOT NULL,
      value TEXT NOT NULL,
      crc INTEGER NOT NULL,
      PRIMARY KEY (run, name)
    ) STRICT;

    CREATE TABLE observations (
      id INTEGER PRIMARY KEY,
      session TEXT NOT NULL,
      round INTEGER NOT NULL,
      agent TEXT NOT NULL,
      at TEXT NOT NULL,
      content TEXT NOT NULL,
      crc INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX observations_place ON observations (session, round, agent);
    CREATE TRIGGER observations_keep BEFORE UPDATE ON observations BEGIN SELECT RAISE(ABORT, 'observations are append-only'); END;
    CREATE TRIGGER observations_stay BEFORE DELETE ON observations BEGIN SELECT RAISE(ABORT, 'observations are append-only'); END;
    `,
  ],
};

export function versionOf(tables: Schema): number {
  return tables.migrations.length;
}
