// Measures appends to the shared store beside the database's own commit of an equal row: one writer on this machine and over a slower
// network, and many writers at once. `node bench/shared.mjs` prints the figures as JSON.
import pg from "pg";
import { fileURLToPath } from "node:url";
import { median } from "./measure.mjs";
import { slowNetwork, withPostgres } from "./postgres.mjs";

const bytes = 300;
const goal = 2;
const event = { type: "tick", data: { text: "x".repeat(bytes - 80) } };
const insert =
  "INSERT INTO bare (repository, run, seq, at, type, data, crc, append) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
const row = (run, seq) => [
  "bench",
  run,
  seq,
  new Date().toISOString(),
  event.type,
  JSON.stringify(event.data),
  4e9,
  "a".repeat(16),
];

/** `{ appends, writers, bytes, goal }`, or null without PostgreSQL. */
export async function run({ rounds = 400, turns = 5 } = {}) {
  return withPostgres(async (world) => {
    const url = world.server.newDatabase();
    const open = opener(world, url);
    await (await open()).close(); // makes the tables
    // The same columns and the same key, and nothing else: no trigger, no claim, no row of the run.
    world.server.psql(url, "CREATE TABLE bare (LIKE mettle.events INCLUDING ALL)");
    const appends = [];
    for (const delayMs of [0, 1]) appends.push(...(await measureAppends({ ...world, url, delayMs, rounds })));
    const writers = [];
    for (const count of turns === 0 ? [] : [1, 4, 16])
      writers.push(await measureWriters({ ...world, url, count, turns }));
    return { bytes, goal, appends, writers };
  });
}

function opener({ mettle }, url) {
  return async () =>
    mettle.postgresJournal(await mettle.openPostgres({ url, repository: "bench" }), {
      clock: mettle.systemClock,
      alive: () => true,
      host: mettle.claimHost(),
    });
}

async function bareClient(url) {
  const client = new pg.Client({ connectionString: url, options: "-c synchronous_commit=on" });
  await client.connect();
  return client;
}

/** The kinds of append take turns, so that other work on the disk affects all of them. */
async function measureAppends({ mettle, server, url, delayMs, rounds }) {
  const network = delayMs === 0 ? null : await slowNetwork(server.port, delayMs);
  const through = network === null ? url : url.replace(`:${server.port}/`, `:${network.port}/`);
  const [client, journal] = [await bareClient(through), await opener({ mettle }, through)()];
  try {
    const name = (kind) => `${kind} ${delayMs}`;
    await journal.claim(name("claimed"), { pid: 1, started: "1" });
    const observation = { session: "TDD_1", round: 1, agent: "MT", content: "phase:RED" };
    const kinds = {
      "the round trip alone": () => client.query("SELECT 1"),
      "a bare INSERT, committed": (n) => client.query(insert, row(name("bare"), n + 1)),
      "Mettle's append": (n) => journal.append(name("plain"), n, [event]),
      "Mettle's append of a claimed run": (n) => journal.append(name("claimed"), n, [event]),
      "Mettle's append with an observation": (n) =>
        journal.append(name("side"), n, [event], { observations: [observation] }),
    };
    const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    const warmUp = 20;
    for (let n = 0; n < rounds + warmUp; n++)
      for (const [kind, work] of Object.entries(kinds)) {
        const began = performance.now();
        await work(n);
        if (n >= warmUp) times[kind].push(performance.now() - began);
      }
    const bare = times["a bare INSERT, committed"];
    return Object.entries(times).map(([kind, list]) => ({
      kind,
      delayMs,
      ms: median(list),
      ratio: median(list.map((ms, n) => ms / bare[n])),
      ratioOfSums: sum(list) / sum(bare),
      goal: kind.startsWith("Mettle") ? goal : null,
    }));
  } finally {
    await client.end();
    await journal.close();
    network?.close();
  }
}

/**
 * Each writer has connections and a run of its own, as a process has. The kinds take turns of a second.
 * @returns commits a second
 */
async function measureWriters({ mettle, server, url, count, turns }) {
  const kinds = {
    bare: async (name) => {
      const client = await bareClient(url);
      return { write: (n) => client.query(insert, row(name, n + 1)), close: () => client.end() };
    },
    append: async (name, index) => {
      const journal = await opener({ mettle }, `${url}?writer=${index}`)();
      return { write: (n) => journal.append(name, n, [event]), close: () => journal.close() };
    },
  };
  const done = { bare: [], append: [], notified: [] };
  for (let turn = 0; turn < turns; turn++)
    for (const [kind, counts] of Object.entries(done)) {
      const open = kinds[kind] ?? kinds.append;
      const writers = await Promise.all(
        Array.from({ length: count }, (_, index) => open(`${kind} ${count} ${turn} ${index}`, index)),
      );
      if (kind === "notified") server.psql(url, notifying);
      counts.push(await perSecond(writers));
      if (kind === "notified") server.psql(url, "DROP TRIGGER notify_bench ON mettle.events");
      await Promise.all(writers.map(({ close }) => close()));
    }
  return {
    count,
    ...Object.fromEntries(Object.entries(done).map(([kind, counts]) => [kind, Math.round(median(counts))])),
  };
}

/** What each append did before: a notification in its own transaction. */
const notifying = `CREATE OR REPLACE FUNCTION notify_bench() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('mettle', NEW.repository); RETURN NULL; END $$;
  CREATE TRIGGER notify_bench AFTER INSERT ON mettle.events FOR EACH ROW EXECUTE FUNCTION notify_bench()`;

async function perSecond(writers) {
  const began = performance.now();
  const counts = await Promise.all(
    writers.map(async ({ write }) => {
      let n = 0;
      for (; performance.now() < began + 1000; n++) await write(n);
      return n;
    }),
  );
  return sum(counts) / ((performance.now() - began) / 1000);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await run(), null, 1));
