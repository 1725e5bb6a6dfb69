import { AppError } from "../lib/errors.ts";
import type { Clock } from "../lib/clock.ts";
import { checksum } from "./checksum.ts";
import { selectDialogues, type Dialogue } from "./dialogues.ts";
import { isPlaceName, type Observation, type ObservationPattern } from "./observation-line.ts";
import { selectAll, type SqlRow } from "./statements.ts";
import { openStore, type Store } from "./store.ts";

/** The append-only store of observations for all processes, in the journal's file (CORE-64). */
export interface Observations {
  /** Stamps and stores an observation; durable before it resolves. */
  append(entry: NewObservation): Promise<Observation>;
  /** In write order. `after` is the id of the last observation read, `limit` the maximum number. */
  query(
    pattern: ObservationPattern,
    page?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly Observation[]>;
  /** Dialogues of a run, or of all runs, in order of opening. */
  dialogues(run?: string): Promise<readonly Dialogue[]>;
  close(): Promise<void>;
}

export type NewObservation = Omit<Observation, "id" | "at">;

export interface ObservationsOptions {
  /** The state home of the repository: the folder of `mettle.db`. */
  readonly home: string;
  readonly clock: Clock;
  /** How long to wait for another process's lock. */
  readonly lockTimeoutMs?: number;
}

const maxBytes = 1024 * 1024;

export async function openObservations(options: ObservationsOptions): Promise<Observations> {
  const { clock } = options;
  const store = await openStore(options);
  return {
    append: async (entry) => {
      checkObservation(entry);
      return store.write(() =>
        insertObservation(store, { ...entry, at: new Date(clock.now()).toISOString() }),
      );
    },
    query: (pattern, { after = 0, limit = -1 } = {}) =>
      store.select(() => select(store, { pattern, after, limit })),
    dialogues: (run) => store.select(() => selectDialogues(store, run)),
    close: () => store.close(),
  };
}

export function checkObservation({ session, round, agent, content }: NewObservation): void {
  const bytes = Buffer.byteLength(content);
  if (bytes === 0 || bytes > maxBytes) {
    throw new AppError(
      "bad_content",
      bytes === 0
        ? "an observation is empty"
        : `an observation has ${bytes} bytes; at most ${maxBytes} are kept`,
      {
        hint: "Write from 1 byte to 1 MiB of text; put more into a file and name it.",
      },
    );
  }
  if (!isPlaceName(session) || !isPlaceName(agent) || !Number.isSafeInteger(round) || round < 0) {
    throw new AppError(
      "bad_pattern",
      `no observation can have session ${JSON.stringify(session)}, round ${round}, agent ${JSON.stringify(agent)}`,
      {
        hint: "Session and agent are names without blanks, commas, brackets and *; the round counts from 0.",
      },
    );
  }
}

export function insertObservation({ db }: Pick<Store, "db">, entry: Omit<Observation, "id">): Observation {
  const { session, round, agent, at, content } = entry;
  // As JSON, because SQLite's texts end at a NUL.
  const json = JSON.stringify(content);
  const id = Number(
    db
      .prepare("INSERT INTO observations (session, round, agent, at, content, crc) VALUES (?, ?, ?, ?, ?, ?)")
      .run(session, round, agent, at, json, checksum(session, round, agent, at, json)).lastInsertRowid,
  );
  return { id, ...entry };
}

interface Selection {
  readonly pattern: ObservationPattern;
  readonly after: number;
  readonly limit: number;
}

function select({ db, file }: Store, { pattern, after, limit }: Selection): readonly Observation[] {
  const places = Object.entries({
    session: pattern.session,
    round: pattern.round,
    agent: pattern.agent,
    at: pattern.at,
  });
  const wanted = places.filter(([, value]) => value !== null);
  const where = ["id > ?", ...wanted.map(([column]) => `${column} = ?`)].join(" AND ");
  const text = `SELECT id, session, round, agent, at, content, crc FROM observations WHERE ${where} ORDER BY id LIMIT ?`;
  return selectAll(db, text, [after, ...wanted.map(([, value]) => value), limit]).map((row) =>
    observationOf(file, row),
  );
}

/** The observation of a row `id, session, round, agent, at, content, crc`. @throws journal_corrupt */
export function observationOf(file: string, row: SqlRow | null): Observation {
  const [id, session, round, agent, at, json, crc] = row ?? [];
  const whole =
    typeof id === "number" &&
    typeof session === "string" &&
    typeof round === "number" &&
    typeof agent === "string" &&
    typeof at === "string" &&
    typeof json === "string" &&
    crc === checksum(session, round, agent, at, json);
  if (!whole) {
    throw new AppError("journal_corrupt", `observation ${String(id)} is damaged`, {
      hint: `${file} was left as it is. Restore it from a backup.`,
      detail: { file, observation: id },
    });
  }
  const content: unknown = JSON.parse(json);
  return { id, session, round, agent, at, content: String(content) };
}
