/**
 * The tables of the store on PostgreSQL, all in the schema `mettle`, and their migrations. `migrations[n]` migrates version n to
 * n + 1; a released entry never changes. One database holds the runs of many repositories.
 */
import type { Schema } from "../schema.ts";
import { outOfOrder } from "./postgres-error.ts";

export const postgresSchema: Schema = {
  migrations: [
    `
    -- Names are compared byte by byte, so that an upgrade of the system's collations damages no index.
    CREATE TABLE mettle.runs (
      id BIGINT GENERATED ALWAYS AS IDENTITY,
      repository TEXT COLLATE "C" NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      head INTEGER NOT NULL,
      PRIMARY KEY (repository, run)
    );
    CREATE TABLE mettle.events (
      repository TEXT COLLATE "C" NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      at TEXT NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL, -- not jsonb, which changes numbers and the order of keys
      crc BIGINT NOT NULL,
      append TEXT NOT NULL, -- the call that wrote it, which knows it again after its connection broke
      PRIMARY KEY (repository, run, seq)
    );

    -- Compare-and-append in the database itself: the next event of a run, or none. The row of the run is the lock.
    CREATE FUNCTION mettle.follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.seq = 1 THEN
        INSERT INTO mettle.runs (repository, run, head) VALUES (NEW.repository, NEW.run, 1) ON CONFLICT DO NOTHING;
      ELSE
        UPDATE mettle.runs SET head = NEW.seq
        WHERE repository = NEW.repository AND run = NEW.run AND head = NEW.seq - 1;
      END IF;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'events are appended without gaps' USING ERRCODE = '${outOfOrder}';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER events_follow BEFORE INSERT ON mettle.events FOR EACH ROW EXECUTE FUNCTION mettle.follow();

    CREATE FUNCTION mettle.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% are append-only', TG_TABLE_NAME;
    END $$;
    CREATE TRIGGER events_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON mettle.events EXECUTE FUNCTION mettle.refuse();

    CREATE TABLE mettle.claims (
      repository TEXT COLLATE "C" NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      host TEXT NOT NULL,
      pid INTEGER NOT NULL,
      started TEXT NOT NULL,
      token TEXT NOT NULL,
      PRIMARY KEY (repository, run)
    );

    -- Caches of folds. Dropping every row loses nothing.
    CREATE TABLE mettle.views (
      repository TEXT COLLATE "C" NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      name TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      value TEXT NOT NULL,
      crc BIGINT NOT NULL,
      PRIMARY KEY (repository, run, name)
    );

    -- Its row is the lock under which observations get their ids: without gaps, and in the order in which readers see them.
    CREATE TABLE mettle.repositories (
      repository TEXT COLLATE "C" PRIMARY KEY,
      observations INTEGER NOT NULL
    );
    CREATE TABLE mettle.observations (
      repository TEXT COLLATE "C" NOT NULL,
      id INTEGER NOT NULL,
      session TEXT COLLATE "C" NOT NULL,
      round INTEGER NOT NULL,
      agent TEXT COLLATE "C" NOT NULL,
      at TEXT NOT NULL,
      content TEXT NOT NULL, -- a JSON string, since a text of PostgreSQL has no NUL
      crc BIGINT NOT NULL,
      append TEXT UNIQUE, -- as in events; null for one that came with events
      PRIMARY KEY (repository, id)
    );
    CREATE INDEX observations_place ON mettle.observations (repository, session, round, agent);
    CREATE TRIGGER observations_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON mettle.observations
      EXECUTE FUNCTION mettle.refuse();

    CREATE TABLE mettle.dialogues (
      id BIGINT GENERATED ALWAYS AS IDENTITY,
      repository TEXT COLLATE "C" NOT NULL,
      name TEXT COLLATE "C" NOT NULL,
      kind TEXT NOT NULL,
      run TEXT COLLATE "C" NOT NULL,
      opened TEXT NOT NULL,
      closed TEXT,
      PRIMARY KEY (repository, name)
    );
    CREATE TRIGGER dialogues_stay BEFORE DELETE OR TRUNCATE ON mettle.dialogues EXECUTE FUNCTION mettle.refuse();

    CREATE TABLE mettle.payloads (
      repository TEXT COLLATE "C" NOT NULL,
      hash BYTEA NOT NULL,
      bytes BYTEA NOT NULL,
      PRIMARY KEY (repository, hash)
    );
    `,
    `
    -- The knowledge graph (src/memory/graph/postgres). Names, types and contents are JSON strings, as in observations. A mark is the
    -- checksum of such a text, by which it is found: an index takes no long text. A folded text is searched in.
    CREATE TABLE mettle.graph_entities (
      repository TEXT COLLATE "C" NOT NULL,
      id INTEGER NOT NULL, -- writers of a repository take turns, so that ids are in the order in which readers see them
      mark BIGINT NOT NULL,
      name TEXT COLLATE "C" NOT NULL, -- may repeat, as in a file of server-memory
      type TEXT COLLATE "C" NOT NULL,
      folded TEXT COLLATE "C" NOT NULL, -- name and type
      PRIMARY KEY (repository, id)
    );
    CREATE INDEX graph_names ON mettle.graph_entities (repository, mark);
    CREATE TABLE mettle.graph_observations (
      repository TEXT COLLATE "C" NOT NULL,
      entity INTEGER NOT NULL,
      place INTEGER NOT NULL,
      mark BIGINT NOT NULL,
      content TEXT COLLATE "C" NOT NULL,
      folded TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (repository, entity, place)
    );
    CREATE INDEX graph_marks ON mettle.graph_observations (repository, entity, mark);
    CREATE TABLE mettle.graph_relations (
      repository TEXT COLLATE "C" NOT NULL,
      id INTEGER NOT NULL,
      source_mark BIGINT NOT NULL,
      source TEXT COLLATE "C" NOT NULL,
      target_mark BIGINT NOT NULL,
      target TEXT COLLATE "C" NOT NULL,
      type TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (repository, id)
    );
    CREATE INDEX graph_sources ON mettle.graph_relations (repository, source_mark);
    CREATE INDEX graph_targets ON mettle.graph_relations (repository, target_mark);
    `,
    `
    -- Pages listen for changes instead of asking again and again. A name may be longer than a notification.
    CREATE FUNCTION mettle.notify() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('mettle', encode(sha256(convert_to(name, 'UTF8')), 'hex'))
      FROM (SELECT DISTINCT repository AS name FROM fresh) AS changed;
      RETURN NULL;
    END $$;
    CREATE TRIGGER events_notify AFTER INSERT ON mettle.events REFERENCING NEW TABLE AS fresh
      FOR EACH STATEMENT EXECUTE FUNCTION mettle.notify();
    `,
    `
    -- A claim has an epoch, which only grows and is never used twice, and the server's time of the newest sign of life.
    ALTER TABLE mettle.claims ADD COLUMN epoch BIGINT NOT NULL DEFAULT 1, ADD COLUMN seen TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp();
    ALTER TABLE mettle.claims ALTER COLUMN token DROP NOT NULL; -- null: released
    -- Unique, so that a change of the token waits for appends that hold the row FOR KEY SHARE, and they for it. A sign of life does not.
    CREATE UNIQUE INDEX claims_token ON mettle.claims (token);
    `,
    `
    -- Runs that ended are the most by far; those that did not are found without looking at them.
    ALTER TABLE mettle.runs ADD COLUMN ended BOOLEAN NOT NULL DEFAULT false;
    UPDATE mettle.runs AS one SET ended = true
      WHERE EXISTS (SELECT FROM mettle.events AS event
        WHERE event.repository = one.repository AND event.run = one.run AND event.type = 'run.ended');
    CREATE INDEX runs_open ON mettle.runs (repository, id) WHERE NOT ended;
    CREATE INDEX runs_newest ON mettle.runs (repository, id);
    `,
    `
    -- Programs announce their appends afterwards (announce.ts): a notification within an append let only one append commit at a time.
    DROP TRIGGER events_notify ON mettle.events;
    DROP FUNCTION mettle.notify();
    `,
    `
    -- The keys that may sign records, of all repositories of the database. A row stays, and changes once: when its key is revoked.
    CREATE TABLE mettle.keys (
      place BIGINT GENERATED ALWAYS AS IDENTITY,
      id TEXT COLLATE "C" PRIMARY KEY,
      name TEXT COLLATE "C" NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      enrolled_by TEXT NOT NULL,
      enrolled_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
      revoked_by TEXT,
      revoked_at TIMESTAMPTZ,
      CHECK ((revoked_by IS NULL) = (revoked_at IS NULL))
    );
    CREATE FUNCTION mettle.only_revoke() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.revoked_at IS NOT NULL OR NEW.revoked_at IS NULL
        OR (OLD.place, OLD.id, OLD.name, OLD.public_key, OLD.enrolled_by, OLD.enrolled_at)
          IS DISTINCT FROM (NEW.place, NEW.id, NEW.name, NEW.public_key, NEW.enrolled_by, NEW.enrolled_at)
      THEN
        RAISE EXCEPTION 'keys are append-only: one that is enrolled can only be revoked, once';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER keys_change BEFORE UPDATE ON mettle.keys FOR EACH ROW EXECUTE FUNCTION mettle.only_revoke();
    CREATE TRIGGER keys_keep BEFORE DELETE OR TRUNCATE ON mettle.keys EXECUTE FUNCTION mettle.refuse();
    `,
    `
    -- The server process that took the newest sign of life: it ends at once with the process of the holder.
    ALTER TABLE mettle.claims ADD COLUMN backend INTEGER;
    `,
    `
    -- People with tokens, of which only the hash is here, and rules of what they may decide, in all repositories of the database.
    CREATE TABLE mettle.people (
      name TEXT COLLATE "C" PRIMARY KEY,
      token_hash TEXT NOT NULL UNIQUE,
      added_by TEXT NOT NULL,
      added_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE mettle.rules (
      person TEXT COLLATE "C" NOT NULL,
      repository TEXT COLLATE "C" NOT NULL,
      gate TEXT COLLATE "C" NOT NULL,
      allowed BOOLEAN NOT NULL,
      set_by TEXT NOT NULL,
      set_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (person, repository, gate)
    );
    `,
  ],
};
