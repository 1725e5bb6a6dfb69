// What runs on workers ask of the store while nothing happens, and how long the workers take from a result to the next command.
// `node bench/waiting.mjs` prints both. Needs a build and PostgreSQL.
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { withPostgres } from "./postgres.mjs";
import { median } from "./measure.mjs";
import { meterOf } from "./scale-inputs.mjs";

const sources = `
  export { golden, untestedFiles } from "./test/orchestrate/world.ts";
  export { cloneOf, sharedHost } from "./test/shared-store/world.ts";
  export { agentOf, answers, detach, startWorker, workersOrigin } from "./test/shared-store/workers.ts";
`;

/** Null without PostgreSQL. @returns statements a second, and milliseconds of a command from the result before it */
export async function run({ windowMs = 10_000, runs = 3 } = {}) {
  return withPostgres(
    async ({ mettle, server }) => {
      const url = server.newDatabase();
      const origin = await mettle.workersOrigin(await mettle.untestedFiles());
      const host = mettle.sharedHost(await mettle.cloneOf(origin), url);
      const client = new pg.Client({ connectionString: url, application_name: "bench" });
      await client.connect();
      await client.query("CREATE EXTENSION pg_stat_statements");
      const meter = await meterOf(client);
      const worker = await mettle.startWorker(url, [], { by: host });
      const statements = async () => {
        const { rows } = await client.query(calls);
        return Number(rows[0].calls);
      };
      const perSecond = async () => {
        const before = await statements();
        await pause(windowMs);
        return Math.round((10_000 * ((await statements()) - before)) / windowMs) / 10;
      };
      const start = async (change = () => undefined) => {
        const cassette = await mettle.golden();
        change(cassette);
        const id = await mettle.detach(host, await mettle.agentOf(cassette));
        await meter.quiet();
        return id;
      };
      try {
        const done = [];
        for (let n = 0; n < runs; n++) {
          const id = await start();
          done.push(id);
          await host.cli(["answer", id, ...mettle.answers]);
          await meter.quiet();
          for (let gate = 0; gate < 2; gate++) {
            await host.cli(["approve", id]);
            await meter.quiet();
          }
        }
        const { rows } = await client.query(steps, [done.slice(1)]); // the first one makes clones and mirrors
        await pause(3000);
        const none = await perSecond();
        const busy = await start(({ roles }) => roles.planner[0].does.unshift({ shell: "sleep 60" }));
        await pause(3000);
        const waiting = await perSecond();
        await host.cli(["answer", busy, ...mettle.answers]);
        await pause(5000);
        const atWork = await perSecond();
        const of = (name) => Math.round(median(rows.map((row) => Number(row[name]))));
        return {
          statements: { none, waiting, atWork },
          ms: { submitted: of("submitted"), begun: of("begun"), commands: rows.length },
        };
      } finally {
        await worker.end("SIGKILL");
        await client.end();
      }
    },
    sources,
    { shared_preload_libraries: "pg_stat_statements" },
  );
}

/** With BEGIN and COMMIT. */
const calls = `
  SELECT sum(calls) AS calls FROM pg_stat_statements
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Of each command that follows from a result of another one: until it is submitted, and until a worker begins it. */
const steps = `
  WITH issued AS (
    SELECT repository, run, data::json ->> 'key' AS key, 1000 * extract(epoch FROM at::timestamptz) AS at
    FROM mettle.events WHERE type = 'command.issued' AND run = ANY($1))
  SELECT job.created_at - issued.at AS submitted, job.started_at_epoch_ms - issued.at AS begun
  FROM issued JOIN mettle_jobs.workflow_status AS job
    ON job.workflow_uuid = issued.repository || '/' || issued.run || '/' || issued.key || '/1'`;

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await run(), null, 1));
