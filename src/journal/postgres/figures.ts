/**
 * What an exporter of metrics reads of a shared store (SCL-10). It writes nothing, and needs only the right to read. Events are read from
 * where the last reading ended, never again.
 */
import { placeOf } from "./address.ts";
import { postgresError } from "./postgres-error.ts";
import { takePool } from "./pools.ts";

export interface StoreFigures {
  /** Of a round trip that reads nothing, in milliseconds. */
  latencyMs(): Promise<number>;
  jobs(): Promise<JobFigures>;
  /** Names of the workers that gave a sign of life within the lease. */
  liveWorkers(): Promise<readonly string[]>;
  /** The runs that are open, those of `known`, and the newest ones after the id `after`; oldest first. @param max of them */
  runs(after: number, known: readonly number[], max: number): Promise<readonly RunHead[]>;
  /** What has to be counted of these runs, by run and in order. */
  eventsOf(runs: readonly UnreadRun[]): Promise<readonly CountedEvent[]>;
  close(): Promise<void>;
}

export interface JobFigures {
  readonly queues: readonly {
    readonly queue: string;
    readonly waiting: number;
    /** Waiting time of the oldest job in milliseconds. */
    readonly oldestMs: number;
  }[];
  readonly running: readonly {
    readonly worker: string;
    readonly kind: "run" | "command";
    readonly count: number;
  }[];
}

export interface RunHead {
  /** In the order in which the runs began. */
  readonly id: number;
  readonly repository: string;
  readonly run: string;
  readonly head: number;
  readonly isEnded: boolean;
}

export interface UnreadRun extends RunHead {
  /** The newest event that was counted. */
  readonly counted: number;
}

/** The fields of an event that are counted; null where the event has no such field. */
export interface CountedEvent {
  readonly id: number;
  readonly type: string;
  /** Of the command, or of its target if it cancels another one. */
  readonly key: string | null;
  /** Of a command: `ask`, `cancel`; of a dispatch: the provider; of a gate: its name; of the end: the outcome. */
  readonly name: string | null;
  /** Of a gate or a reviewer; of a base: whether it waits for a person, `true`. */
  readonly verdict: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** A scrape must not wait long for a store that is away. */
const patienceMs = 3000;
/** As in claims.ts. */
const leaseMs = 4000;

/** Connects with the first call. @throws config_invalid; each call throws the codes of the store */
export async function openFigures(url: string): Promise<StoreFigures> {
  const place = placeOf(url);
  const { pool, release } = await takePool({ url, patienceMs });
  const sql = async <Row>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    try {
      return (await pool.query(text, [...values])).rows as readonly Row[];
    } catch (error) {
      throw postgresError(error, place);
    }
  };
  const hasTable = async (name: string): Promise<boolean> =>
    (await sql("SELECT WHERE to_regclass($1) IS NOT NULL", name)).length > 0;

  return {
    async latencyMs() {
      const asked = performance.now();
      await sql("SELECT 1");
      return performance.now() - asked;
    },
    async jobs() {
      if (!(await hasTable("mettle_jobs.workflow_status"))) return { queues: [], running: [] };
      const [queues, running] = await Promise.all([
        sql<JobFigures["queues"][number]>(waitingJobs),
        sql<JobFigures["running"][number]>(runningJobs),
      ]);
      return { queues, running };
    },
    async liveWorkers() {
      if (!(await hasTable("mettle.claims"))) return [];
      const rows = await sql<{ run: string }>(
        `SELECT run FROM mettle.claims WHERE repository = '*workers' AND token IS NOT NULL
           AND abs(extract(epoch FROM clock_timestamp() - seen) * 1000) < $1`,
        leaseMs,
      );
      return rows.map(({ run }) => run);
    },
    async runs(after, known, max) {
      if (!(await hasTable("mettle.runs"))) return [];
      return sql<RunHead>(
        `SELECT id, repository, run, head, ended AS "isEnded" FROM mettle.runs
         WHERE id > $1 OR id = ANY($2::bigint[]) ORDER BY id LIMIT $3`,
        after,
        known,
        max,
      );
    },
    eventsOf: (runs) =>
      sql<CountedEvent>(
        countedEvents,
        runs.map(({ id }) => id),
        runs.map(({ repository }) => repository),
        runs.map(({ run }) => run),
        runs.map(({ counted }) => counted),
        runs.map(({ head }) => head),
      ),
    close: release,
  };
}

/** A job that was given back waits from then on, a delayed one from the end of its delay. The tables are those of DBOS (ADR 0037). */
const waitingJobs = `
  SELECT queue_name AS queue, count(*)::int AS waiting,
    greatest(0, extract(epoch FROM clock_timestamp()) * 1000
      - min(greatest(updated_at, coalesce(delay_until_epoch_ms, 0))))::float8 AS "oldestMs"
  FROM mettle_jobs.workflow_status
  WHERE status = 'ENQUEUED' AND name IN ('run', 'command') GROUP BY queue_name ORDER BY queue_name`;

const runningJobs = `
  SELECT coalesce(executor_id, '') AS worker, name AS kind, count(*)::int AS count FROM mettle_jobs.workflow_status
  WHERE status = 'PENDING' AND name IN ('run', 'command') GROUP BY 1, 2 ORDER BY 1, 2`;

/** Read as json, not as jsonb, which refuses texts with NUL. */
const countedEvents = `
  SELECT one.id, event.type,
    coalesce(data #>> '{command,target}', data #>> '{command,key}', data ->> 'key') AS key,
    coalesce(data #>> '{command,type}', data ->> 'gate', data ->> 'vendor', data ->> 'outcome') AS name,
    coalesce(data ->> 'verdict', data ->> 'needsPerson') AS verdict,
    (data ->> 'tokens')::float8 AS tokens, (data ->> 'costUsd')::float8 AS "costUsd"
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::int[]) AS one(id, repository, run, counted, head)
  CROSS JOIN LATERAL (
    SELECT type, seq, data::json AS data FROM mettle.events AS stored
    WHERE stored.repository = one.repository AND stored.run = one.run AND stored.seq > one.counted AND stored.seq <= one.head
      AND (type IN ('result', 'run.ended', 'worker.died', 'dispatch.started', 'agent.used', 'gate.judged', 'review.given',
          'base.proved', 'base.accepted')
        OR type = 'command.issued'
          AND (stored.data::json #>> '{command,type}' = 'cancel'
            OR stored.data::json #>> '{command,type}' = 'ask' AND stored.data::json #>> '{command,to}' = 'person'))
  ) AS event
  ORDER BY one.id, event.seq`;
