// Measures what the simulation of docs/scale.md needs: what a real worker and its runs cost the server. Needs a build and PostgreSQL.
// `node bench/scale.mjs --measure` calls it.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { withPostgres } from "./postgres.mjs";

const windowMs = 15_000;
const sleeping = 4;
const tickMs = 10; // of /proc

const sources = `
  export { golden, untestedFiles } from "./test/orchestrate/world.ts";
  export { cloneOf, sharedHost } from "./test/shared-store/world.ts";
  export { agentOf, answers, detach, startWorker, workersOrigin } from "./test/shared-store/workers.ts";
`;

/** Null without PostgreSQL. */
export async function measure() {
  return withPostgres(async ({ mettle, server }) => {
    const url = server.newDatabase();
    const origin = await mettle.workersOrigin(await mettle.untestedFiles());
    const host = mettle.sharedHost(await mettle.cloneOf(origin), url);
    const client = new pg.Client({ connectionString: url, application_name: "bench" });
    await client.connect();
    const meter = await meterOf(client);
    const workers = [await mettle.startWorker(url, [], { by: host })];
    try {
      const idle = await meter.during(() => pause(windowMs));
      const connections = await meter.connections();
      workers.push(await mettle.startWorker(url, [], { by: host }));
      const two = await meter.during(() => pause(windowMs));
      await workers.pop().end("SIGTERM");

      const start = async (change) => {
        const cassette = await mettle.golden();
        change(cassette);
        const run = await mettle.detach(host, await mettle.agentOf(cassette));
        await meter.quiet();
        return run;
      };
      const toEnd = async (run) => {
        await host.cli(["answer", run, ...mettle.answers]);
        await meter.quiet();
        for (let gate = 0; gate < 2; gate++) {
          await host.cli(["approve", run]);
          await meter.quiet();
        }
      };
      await toEnd(await start(() => undefined)); // makes clones, mirrors and caches
      const whole = await meter.during(async () => toEnd(await start(() => undefined)));
      const [journal] = (
        await client.query(
          `SELECT count(*)::int AS events, sum(pg_column_size(event.*))::int AS bytes,
             count(*) FILTER (WHERE type = 'dispatch.started')::int AS dispatches,
             count(*) FILTER (WHERE type = 'command.issued')::int AS commands
           FROM mettle.events AS event WHERE run = (SELECT run FROM mettle.runs ORDER BY id DESC LIMIT 1)`,
        )
      ).rows;

      // Agents at work, one in each run, all by one worker.
      const sleepers = [];
      for (let n = 0; n < sleeping; n++)
        sleepers.push(await start(({ roles }) => roles.planner[0].does.unshift({ shell: "sleep 60" })));
      for (const run of sleepers) await host.cli(["answer", run, ...mettle.answers]);
      await pause(10_000);
      const active = await meter.during(() => pause(windowMs));
      const activeConnections = await meter.connections();

      const perSecond = ({ cpuMs, transactions, ms }) => ({
        cpuMs: round((1000 * cpuMs) / ms),
        transactions: round((1000 * transactions) / ms),
      });
      const of = (one, other, by) => round(Math.max(0, one - other) / by);
      const [lone, pair, working] = [idle, two, active].map(perSecond);
      const seconds = whole.ms / 1000;
      return {
        /** For each idle worker and second. */
        worker: { cpuMs: of(pair.cpuMs, 0, 2), transactions: of(pair.transactions, 0, 2), connections },
        /** For each agent at work and second, beside its worker. */
        agent: {
          cpuMs: of(working.cpuMs, lone.cpuMs, sleeping),
          transactions: of(working.transactions, lone.transactions, sleeping),
          connections: of(activeConnections, connections, sleeping),
        },
        /** For each dispatch of a run with all that follows from it, beside its worker. */
        dispatch: {
          cpuMs: of(whole.cpuMs, lone.cpuMs * seconds, journal.dispatches),
          transactions: of(whole.transactions, lone.transactions * seconds, journal.dispatches),
          walBytes: Math.round(whole.walBytes / journal.dispatches),
          storedBytes: Math.round(whole.storedBytes / journal.dispatches),
          events: round(journal.events / journal.dispatches),
          commands: round(journal.commands / journal.dispatches),
        },
        event: { bytes: Math.round(journal.bytes / journal.events) },
      };
    } finally {
      for (const worker of workers) await worker.end("SIGKILL");
      await client.end();
    }
  }, sources);
}

/** Measures the server: processor time of all its processes, transactions, log and size of the database. */
export async function meterOf(client) {
  const one = async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows[0][0];
  const backend = await one("SELECT pg_backend_pid()");
  const main = statOf(backend).parent;
  const look = async () => {
    await client.query("SELECT pg_stat_force_next_flush()").catch(() => undefined);
    await pause(1100); // the server counts what others did with a delay
    return {
      at: performance.now(),
      cpuMs: cpuOf(main),
      transactions: Number(
        await one(
          "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()",
        ),
      ),
      wal: Number(await one("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")),
      size: Number(await one("SELECT pg_database_size(current_database())")),
    };
  };
  return {
    async during(work) {
      const before = await look();
      await work();
      const after = await look();
      return {
        ms: after.at - before.at,
        cpuMs: after.cpuMs - before.cpuMs,
        transactions: after.transactions - before.transactions,
        walBytes: after.wal - before.wal,
        storedBytes: after.size - before.size,
      };
    },
    connections: async () =>
      Number(
        await one(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'bench'",
        ),
      ),
    /** Until no job waits or is done. */
    async quiet() {
      for (let looks = 0; looks < 600; looks++) {
        const jobs = await one(
          "SELECT count(*) FROM mettle_jobs.workflow_status WHERE status IN ('ENQUEUED', 'PENDING', 'DELAYED')",
        );
        if (Number(jobs) === 0) return;
        await pause(200);
      }
      throw new Error("the jobs do not end");
    },
  };
}

/** Milliseconds of the server, with the processes that ended. */
function cpuOf(main) {
  const children = readdirSync("/proc").flatMap((pid) => {
    const stat = /^[0-9]+$/u.test(pid) ? statOf(pid) : null;
    return stat?.parent === main ? [stat.own] : [];
  });
  const { own, ended } = statOf(main);
  return tickMs * children.reduce((sum, ticks) => sum + ticks, own + ended);
}

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (n) => Number(fields[n - 3]); // as proc(5) numbers them
    return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
  } catch {
    return null; // it ended meanwhile
  }
}

function round(number) {
  return Math.round(100 * number) / 100;
}
