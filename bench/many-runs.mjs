// Measures `mettle status` and a look-up by prefix with 100 and with 100,000 finished runs, in the local and in the shared store.
// The rows are written as the stores write them, but many at once. `node bench/many-runs.mjs` prints the figures as JSON; needs a build.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import pg from "pg";
import { openRepository } from "../dist/lib/git/repository.js";
import { longRun } from "./long-run.mjs";
import { medians } from "./measure.mjs";
import { withPostgres } from "./postgres.mjs";

const eventsOfRun = 10;
const goal = 1.5;
const batch = 2000;

/** `{ counts, eventsOfRun, rows, goal }`; null without PostgreSQL. */
export async function run({ rounds = 21, counts = [100, 100_000] } = {}) {
  return withPostgres(async ({ mettle, server, folder }) => {
    const repository = join(folder, "repository");
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@invalid"];
    execFileSync("git", ["init", "-q", repository]);
    execFileSync("git", ["-C", repository, ...identity, "commit", "-q", "--allow-empty", "-m", "Start"]);
    const { id } = await openRepository(repository, { path: process.env.PATH });
    const events = [
      ...longRun(mettle, eventsOfRun - 1),
      { type: "run.ended", data: { outcome: "complete", reason: "" } },
    ];
    const world = { mettle, server, events, id };
    const candidates = {};
    for (const count of counts)
      for (const [store, fill] of [
        ["local", fillLocal],
        ["shared", fillShared],
      ]) {
        const home = join(folder, `${store}-${count}`);
        const url = await fill({ ...world, home: join(home, id), count });
        const env = { METTLE_HOME: home, ...(url === null ? {} : { METTLE_STORE_URL: url }) };
        for (const [word, more] of Object.entries({ status: [], "status PREFIX": [nameOf(7).slice(0, 5)] }))
          candidates[`${store} ${count} ${word}`] = {
            argv: [program, "status", ...more],
            cwd: repository,
            env,
          };
      }
    const found = medians(candidates, { rounds });
    const rows = ["local", "shared"].flatMap((store) =>
      ["status", "status PREFIX"].map((word) => {
        const [few, many] = counts.map((count) => found[`${store} ${count} ${word}`]);
        return { store, word, few, many, ratio: many / few };
      }),
    );
    return { counts, eventsOfRun, rows, goal };
  });
}

const program = fileURLToPath(new URL("../dist/bin/mettle.cjs", import.meta.url));

/** Spread over all prefixes, as random ids are; five letters name one run. */
function nameOf(index) {
  const letters = "abcdefghjkmnpqrstvwxyz23456789";
  let [name, rest] = ["", (index * 7_368_787) % 24_300_000];
  for (let n = 0; n < 5; n++, rest = Math.floor(rest / 30)) name = letters[rest % 30] + name;
  return `${name}x`;
}

/** Rows `run, seq, at, type, data, crc` of some runs. */
function* batches({ mettle, events, count }) {
  const at = "2026-01-01T00:00:00.000Z";
  for (let first = 0; first < count; first += batch) {
    const runs = Array.from({ length: Math.min(batch, count - first) }, (_, n) => nameOf(first + n));
    const rows = runs.flatMap((run) =>
      events.map(({ type, data }, n) => {
        const json = JSON.stringify(data);
        return [run, n + 1, at, type, json, mettle.checksum(run, n + 1, at, type, json)];
      }),
    );
    yield { runs, rows };
  }
}

async function fillLocal({ home, ...world }) {
  const { mettle } = world;
  await (await mettle.openJournal({ home, clock: mettle.systemClock, alive: () => false })).close();
  const db = new Database(join(home, "mettle.db"));
  db.exec("PRAGMA synchronous = OFF; BEGIN");
  const insert = db.prepare("INSERT INTO events (run, seq, at, type, data, crc) VALUES (?, ?, ?, ?, ?, ?)");
  for (const { rows } of batches(world)) for (const row of rows) insert.run(...row);
  db.exec("UPDATE runs SET ended = 1; COMMIT");
  db.close();
  return null;
}

async function fillShared({ home, id, ...world }) {
  const { mettle, server } = world;
  const url = server.newDatabase();
  await (await mettle.openPostgres({ url, repository: id })).close(); // makes the tables
  mkdirSync(home, { recursive: true });
  mettle.markShared(home, { repository: id });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER TABLE mettle.events DISABLE TRIGGER USER");
  for (const { runs, rows } of batches(world)) {
    await client.query(
      "INSERT INTO mettle.runs (repository, run, head, ended) SELECT $1, run, $2, true FROM unnest($3::text[]) AS run",
      [id, world.events.length, runs],
    );
    await client.query(
      `INSERT INTO mettle.events (repository, append, run, seq, at, type, data, crc)
       SELECT $1, '', * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[])`,
      [id, ...[0, 1, 2, 3, 4, 5].map((column) => rows.map((row) => row[column]))],
    );
  }
  await client.query("ALTER TABLE mettle.events ENABLE TRIGGER USER");
  await client.query("VACUUM ANALYZE");
  await client.end();
  return url;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await run(), null, 1));
