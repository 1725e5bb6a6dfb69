// @module-tag ci
/** Runs that wait for a person cost no process, no connection and no question to the database, and go on at once. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { openPostgres } from "../../src/journal/postgres/store.ts";
import { postgresJournal } from "../../src/journal/postgres/journal.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { claimHost, hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import {
  agentOf,
  answers,
  detach,
  startWorker,
  untilLog,
  untilStatus,
  workersOrigin,
  type Worker,
} from "./workers.ts";

const count = 1000;
const windowMs = 5000;
/** 1.4 s beside two other files on two processors; alone in the wide suite. */
const maxMs = wide ? 2000 : 5000;

describe.skipIf(!hasPostgres)("runs that wait", () => {
  let server: PostgresServer;
  let url: string;
  let origin: TempRepository;
  let here: SharedHost;
  let workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres({ shared_preload_libraries: "pg_stat_statements" });
    url = server.newDatabase();
    server.psql(url, "CREATE EXTENSION pg_stat_statements");
    origin = await workersOrigin(await untestedFiles());
    here = sharedHost(await cloneOf(origin), url);
    workers = await Promise.all([1, 2].map(() => startWorker(url, [], { by: here })));
  }, 60_000);
  afterAll(() => Promise.all(workers.map((worker) => worker.end("SIGKILL"))));

  const numberOf = (sql: string) => Number(server.psql(url, `SELECT ${sql}`));

  /** What all clients of the database did in a while, without this test. */
  const cost = async () => {
    const statements = () =>
      numberOf(`sum(calls) FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    const before = statements();
    await pause(windowMs);
    return {
      statements: statements() - before,
      connections: numberOf(`count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`),
      processes: workers.flatMap(({ pid }) => childrenOf(pid)),
    };
  };

  const untilIdle = () =>
    expect
      .poll(
        () => numberOf("count(*) FROM mettle_jobs.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')"),
        {
          timeout: 30_000,
          interval: 200,
        },
      )
      .toBe(0);

  /** Runs with the events of another one. */
  const copies = async (run: string, names: readonly string[]) => {
    const store = await openPostgres({ url, repository: "acme/shop" });
    const journal = postgresJournal(store, { clock: systemClock, alive: () => true, host: claimHost() });
    try {
      const events = (await journal.read(run)).map(({ type, data }) => ({ type, data }));
      for (const name of names) await journal.append(name, 0, events);
    } finally {
      await journal.close();
    }
  };

  /** Milliseconds from a person's answers in the journal to the next agent. */
  const goesOnAfter = async (run: string): Promise<number> => {
    const head = numberOf(`head FROM mettle.runs WHERE run = '${run}'`);
    await here.cli(["answer", run, ...answers]);
    await untilLog(here, run, "intake#2: agent");
    return numberOf(
      `1000 * extract(epoch FROM min(at::timestamptz) FILTER (WHERE type = 'dispatch.started') - min(at::timestamptz))
       FROM mettle.events WHERE run = '${run}' AND seq > ${head}`,
    );
  };

  verifies(
    "SCL-11",
    `${count} runs that wait for a person cost workers nothing, and one that is answered goes on within ${maxMs / 1000} s`,
    async () => {
      const run = await detach(here, await agentOf(await golden()));
      await untilStatus(here, run, "waiting");
      await untilIdle();
      const one = await cost();
      const names = Array.from({ length: count }, (_, index) => `copy-${index}`);
      await copies(run, names);
      // As if it had begun there.
      const base = (await origin.git("rev-parse", `refs/mettle/runs/${run}/base`)).trim();
      const answered = names.slice(0, 2);
      for (const name of answered) await origin.git("update-ref", `refs/mettle/runs/${name}/base`, base);
      const many = await cost();
      expect(numberOf("count(*) FROM mettle.runs WHERE NOT ended")).toBe(count + 1);
      expect((await here.cli(["status", "copy-500", "--json"])).json()).toMatchObject({
        runs: [{ status: "waiting" }],
      });
      expect(many.processes).toEqual([]);
      expect(many.connections).toBeLessThanOrEqual(one.connections);
      // One question of each run would be 1,000 more. Those of two workers vary with their clocks.
      expect(many.statements - one.statements).toBeLessThan(100);

      const times = [];
      for (const name of answered) times.push(await goesOnAfter(name));
      expect(Math.min(...times), times.join(" ")).toBeLessThan(maxMs);
    },
    120_000,
  );
});

/** Their states and names, on Linux. */
function childrenOf(parent: number): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      const [state, its] = stat.slice(end + 2).split(" ");
      return Number(its) === parent ? [`${state} ${stat.slice(stat.indexOf("("), end + 1)}`] : [];
    } catch {
      return []; // no process, or one that ended meanwhile
    }
  });
}
