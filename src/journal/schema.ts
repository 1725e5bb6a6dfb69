/**
 * The tables of `mettle.db` and their migrations. `migrations[n]` migrates version n to n + 1; a released entry never
 * changes.
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
    `
    -- The knowledge graph (src/memory/graph). Texts are JSON strings, since SQLite's own end at a NUL. Names may repeat, as
    -- in a file of server-memory.
    CREATE TABLE graph_entities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL) STRICT;
    CREATE INDEX graph_names ON graph_entities (name);
    CREATE TABLE graph_observations (
      entity INTEGER NOT NULL,
      place INTEGER NOT NULL,
      mark INTEGER NOT NULL, -- a checksum of the content, by which it is found
      content TEXT NOT NULL,
      PRIMARY KEY (entity, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX graph_marks ON graph_observations (entity, mark);
    CREATE TABLE graph_relations (id INTEGER PRIMARY KEY, source TEXT NOT NULL, target TEXT NOT NULL, type TEXT NOT NULL) STRICT;
    CREATE INDEX graph_sources ON graph_relations (source, target, type);
    CREATE INDEX graph_targets ON graph_relations (target);
    -- Every text in lower case, under the entity's id * 2^24 + its place; a search asks for three letters at a time.
    CREATE VIRTUAL TABLE graph_texts USING fts5 (text, detail=none, columnsize=0, tokenize='trigram case_sensitive 1');
    `,
    `
    -- Dialogues of the protocols with sessions: a name is given once, whoever asks for it.
    CREATE TABLE dialogues (
      name TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      run TEXT NOT NULL,
      opened TEXT NOT NULL,
      closed TEXT
    ) STRICT;
    CREATE INDEX dialogues_run ON dialogues (run);
    CREATE TRIGGER dialogues_stay BEFORE DELETE ON dialogues BEGIN SELECT RAISE(ABORT, 'dialogues stay'); END;
    `,
    `
    -- Runs that ended are the most by far; those that did not are found without looking at them.
    ALTER TABLE runs ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;
    UPDATE runs SET ended = 1 WHERE run IN (SELECT run FROM events WHERE type = 'run.ended');
    CREATE INDEX runs_open ON runs (id) WHERE ended = 0;
    `,
    `
    -- People with tokens, of which only the hash is here, and rules of what they may decide.
    CREATE TABLE people (name TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, added_by TEXT NOT NULL, added_at TEXT NOT NULL) STRICT;
    CREATE TABLE rules (
      person TEXT NOT NULL,
      repository TEXT NOT NULL,
      gate TEXT NOT NULL,
      allowed INTEGER NOT NULL,
      set_by TEXT NOT NULL,
      set_at TEXT NOT NULL,
      PRIMARY KEY (person, repository, gate)
    ) STRICT;
    `,
  ],
};

export function versionOf(tables: Schema): number {
  return tables.migrations.length;
}
