// Measures the makespan of one tree of nodes on many workers against what no schedule could beat (SCL-07): real worker processes, one
// PostgreSQL, one remote, and a scripted agent that sleeps before it does its turn. `node bench/tree-on-workers.mjs NODES SECONDS WORKERS`
// prints the figures as JSON; SECONDS is the mean length of a turn. Needs a build and PostgreSQL.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { stringify } from "yaml";
import { withPostgres } from "./postgres.mjs";
import { randomOf } from "./scale-model.mjs";

/** Jobs of each queue that a worker does at once, unless a limit says otherwise. */
const slotsOfWorker = 4;
const tickMs = 10; // of /proc
const settings =
  "graph: { maxDepth: 8, maxChildren: 8, maxNodes: 1000, parallel: 32 }\ndeadlines: { wall: 60m, idle: 60m, test: 10m }\n";

const sources = `
  export { boundOf, randomTree } from "./src/families/graph/fixtures/makespan.ts";
  export { dice } from "./src/kernel/fixtures/tree/random.ts";
  export { files, nodesOf, specOf } from "./test/graph/story.ts";
  export { newFolder } from "./test/support/folder.ts";
  export { cloneOf, sharedHost } from "./test/shared-store/world.ts";
  export { agentOf, detach, startWorker, workersOrigin } from "./test/shared-store/workers.ts";
`;

/** Null without PostgreSQL. @param seconds mean length of an agent's turn */
export async function run({ nodes = 200, seconds = 60, workers: count = 8 } = {}) {
  return withPostgres(async ({ mettle, server }) => {
    const url = server.newDatabase();
    const origin = await mettle.workersOrigin(mettle.files, settings);
    const host = mettle.sharedHost(await mettle.cloneOf(origin), url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const workers = [];
    try {
      for (let n = 0; n < count; n++) workers.push(await mettle.startWorker(url, [], { by: host }));
      const plant = plantOf(mettle.randomTree(nodes, { dice: mettle.dice(1), width: 8 }));
      const spec = join(mettle.newFolder(), "spec.yaml");
      writeFileSync(spec, stringify(mettle.specOf(plant)));
      const cassette = { version: 1, kind: "cassette", nodes: slowed(mettle.nodesOf(plant), seconds) };
      const agent = await mettle.agentOf(cassette);
      const cpuBefore = workers.map(({ pid }) => cpuMs(pid));
      const id = await mettle.detach(host, agent, ["--protocol", "graph", "--spec", spec]);
      await untilEnded(client, id);
      const cpu = workers.map(({ pid }, n) => cpuMs(pid) - cpuBefore[n]);
      const { rows } = await client.query(jobs, [id]);
      const { code, stderr } = await host.cli(["verify", id]);
      if (code !== 0) throw new Error(stderr);
      return figuresOf(mettle, { rows, cpu, slots: count * slotsOfWorker, nodes, workers: count });
    } finally {
      await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
      await client.end();
    }
  }, sources);
}

/** Ids are also names of functions and files. @param tree paths of nodes -> paths of their children, the root "" */
function plantOf(tree) {
  const names = new Map([...tree.keys()].map((path, n) => [path, path === "" ? "top" : `n${n}`]));
  const plant = (path) => ({ id: names.get(path), children: tree.get(path).map(plant) });
  return plant("");
}

/** Each turn sleeps first, from a tenth to nearly twice of the mean. */
function slowed(nodes, seconds) {
  const random = randomOf(1);
  const turn = ({ does = [], ...rest }) => ({
    does: [{ shell: `sleep ${(seconds * (0.1 + 1.8 * random())).toFixed(2)}` }, ...does],
    ...rest,
  });
  const map = (object, change) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
  return map(nodes, (roles) => map(roles, (turns) => turns.map(turn)));
}

async function untilEnded(client, run) {
  for (;;) {
    const { rows } = await client.query(lastEvents, [run]);
    const [ended] = rows.filter(({ type }) => type === "run.ended");
    if (ended?.data.includes('"complete"')) return;
    if (ended !== undefined) throw new Error(ended.data);
    await pause(1000);
  }
}

const lastEvents = "SELECT type, data FROM mettle.events WHERE run = $1 ORDER BY seq DESC LIMIT 3";

/** Of each command: when its jobs were submitted, begun and ended, in milliseconds. */
const jobs = `
  SELECT data::json ->> 'key' AS key, job.created_at AS submitted, job.started_at_epoch_ms AS begun, job.updated_at AS ended
  FROM mettle.events JOIN mettle_jobs.workflow_status AS job
    ON job.workflow_uuid LIKE repository || '/' || run || '/' || (data::json ->> 'key') || '/%'
  WHERE type = 'command.issued' AND run = $1 AND job.started_at_epoch_ms IS NOT NULL`;

function figuresOf(mettle, { rows, cpu, slots, nodes, workers }) {
  const jobs = rows.map(({ key, ...times }) => ({ key, ...mapNumbers(times) }));
  const times = new Map();
  for (const { key, begun, ended } of jobs) times.set(key, (times.get(key) ?? 0) + (ended - begun) / 1000);
  const makespan =
    (Math.max(...jobs.map(({ ended }) => ended)) - Math.min(...jobs.map(({ submitted }) => submitted))) /
    1000;
  const { longest, work, dispatches } = mettle.boundOf(times);
  const bound = Math.max(longest, work / slots);
  const workersCpu = cpu.reduce((sum, ms) => sum + ms, 0) / 1000;
  return {
    nodes,
    workers,
    slots,
    jobs: jobs.length,
    dispatches,
    seconds: { makespan, longest, workOverSlots: work / slots, workersCpu },
    ratio: makespan / bound,
    waitMs: Math.round(mean(jobs.map(({ submitted, begun }) => begun - submitted))),
    coresOfWorkers: workersCpu / makespan,
  };
}

function mapNumbers(row) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}

function mean(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** Of the process itself, without its children. */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [nodes, seconds, workers] = process.argv.slice(2).map(Number);
  console.log(JSON.stringify(await run({ nodes, seconds, workers }), null, 1));
}
