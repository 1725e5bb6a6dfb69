// @module-tag ci
import { spawn } from "node:child_process";
import { inspect } from "node:util";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundleProgram } from "../../../test/support/bundle.ts";
import {
  claimHost,
  hasPostgres,
  startPostgres,
  type PostgresServer,
} from "../../../test/support/postgres.ts";
import { verifies } from "../../../test/verifies.ts";
import { AppError } from "../../lib/errors.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { parsePattern } from "../observation-line.ts";
import type { ClaimHost } from "./claim-host.ts";
import { postgresJournal } from "./journal.ts";
import { postgresObservations } from "./observations.ts";
import { versionOf } from "../schema.ts";
import { postgresSchema } from "./schema.ts";
import { openPostgres, type PostgresOptions, type PostgresStore } from "./store.ts";

const clock = manualClock("2026-03-04T05:06:07.089Z");
let server: PostgresServer;
let opened: PostgresStore[] = [];

beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
afterEach(async () => {
  for (const store of opened) await store.close();
  opened = [];
});

async function open(url: string, options: Partial<PostgresOptions> = {}): Promise<PostgresStore> {
  const store = await openPostgres({ url, repository: "mine", ...options });
  opened.push(store);
  return store;
}

const journalOf = (store: PostgresStore, host: ClaimHost = claimHost()) =>
  postgresJournal(store, { clock, alive: () => false, host });
const event = (data: unknown) => ({ type: "a", data });

describe.skipIf(!hasPostgres)("the tables of PostgreSQL", () => {
  test("refuse to change, remove or skip an event, also for SQL of other programs", async () => {
    const store = await open(server.newDatabase());
    const journal = journalOf(store);
    await journal.append("r1", 0, [event(1)]);
    const before = await journal.read("r1");
    for (const sql of [
      "UPDATE mettle.events SET data = '2'",
      "DELETE FROM mettle.events",
      "TRUNCATE mettle.events",
      "INSERT INTO mettle.events SELECT repository, run, 3, at, type, data, crc, append FROM mettle.events",
      "INSERT INTO mettle.events SELECT * FROM mettle.events",
      "INSERT INTO mettle.events SELECT repository, 'r2', 2, at, type, data, crc, append FROM mettle.events",
    ])
      await expect(store.sql(sql)).rejects.toThrow(/append/u);
    expect(await journal.read("r1")).toEqual(before);
  });

  test("keep repositories of one database apart", async () => {
    const url = server.newDatabase();
    const [mine, other] = [await open(url), await open(url, { repository: "other" })];
    await journalOf(mine).append("r1", 0, [event(1)]);
    expect(await journalOf(other).runs()).toEqual([]);
    await journalOf(other).append("r1", 0, [event(2)]);
    expect(await journalOf(mine).read("r1")).toMatchObject([{ seq: 1, data: 1 }]);
  });

  test("leave a claim to a process of another host, which cannot be looked at from here", async () => {
    const url = server.newDatabase();
    const [here, there] = [journalOf(await open(url)), journalOf(await open(url), claimHost("there"))];
    const owner = { pid: 7, started: "1" };
    const claim = await there.claim("r1", owner);
    await expect(here.claim("r1", owner)).rejects.toMatchObject({
      code: "run_busy",
      message: "run r1 is being worked on by process 7 on there",
    });
    expect(await here.owner("r1")).toEqual(owner);
    await claim.release();
    await here.claim("r1", owner);
    expect(await here.owner("r1")).toBeNull(); // a dead one of this host
  });

  test("leave a claim to processes that cannot be seen: another container, another machine with this name", async () => {
    const url = server.newDatabase();
    const here = journalOf(await open(url));
    const owner = { pid: 7, started: "1" };
    const others: [change: Partial<ClaimHost>, isTaken: boolean][] = [
      [{ home: "h2" }, false],
      [{ home: "h2", boot: "b2" }, false],
      [{ processes: "p2" }, false],
      [{ boot: "b2", processes: "p2" }, true], // the same machine before its last start
    ];
    for (const [index, [change, isTaken]] of others.entries()) {
      const there = journalOf(await open(url), { ...claimHost(), ...change });
      await there.claim(`r${index}`, owner);
      const taken = here.claim(`r${index}`, owner).then(
        () => true,
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
      expect([change, await taken]).toEqual([change, isTaken || "run_busy"]);
    }
  });

  test("show damage: a changed event, lost last events, a changed observation; a changed view counts as absent", async () => {
    const store = await open(server.newDatabase());
    const journal = journalOf(store);
    const observations = postgresObservations(store, { clock });
    await journal.append("r1", 0, [event(1), event(2), event(3)]);
    await journal.append("r2", 0, [event(1), event(2)]);
    await journal.writeView("r1", "status", 1, { phase: "one" });
    await observations.append({ session: "s1", round: 0, agent: "QA", content: "kept" });
    await store.sql(`ALTER TABLE mettle.events DISABLE TRIGGER ALL;
      ALTER TABLE mettle.observations DISABLE TRIGGER ALL;
      UPDATE mettle.events SET data = '7' WHERE run = 'r1' AND seq = 2;
      DELETE FROM mettle.events WHERE run = 'r2' AND seq = 2;
      UPDATE mettle.observations SET content = '"forged"';
      UPDATE mettle.views SET value = '{}';
      ALTER TABLE mettle.events ENABLE TRIGGER ALL`);
    await expect(journal.read("r1")).rejects.toMatchObject({
      code: "journal_corrupt",
      detail: {
        file: store.place,
        seq: 2,
        readable: [
          [1, 1],
          [3, 3],
        ],
      },
    });
    for (const use of [journal.read("r2"), journal.append("r2", 1, [event(3)])])
      await expect(use).rejects.toMatchObject({ code: "journal_corrupt", detail: { seq: 2 } });
    await expect(journal.runs()).rejects.toMatchObject({ code: "journal_corrupt" });
    await expect(observations.query(parsePattern("OBS[*,*,*,*]"))).rejects.toMatchObject({
      code: "journal_corrupt",
    });
    expect(await journal.readView("r1", "status")).toBeNull();
  });
});

describe.skipIf(!hasPostgres)("the schema of PostgreSQL", () => {
  const known = versionOf(postgresSchema);
  const newerSchema = {
    migrations: [...postgresSchema.migrations, "ALTER TABLE mettle.runs ADD COLUMN note TEXT"],
  };

  verifies(
    "SCL-01",
    "is made once by several processes that start at the same moment on an empty database",
    async () => {
      const url = server.newDatabase();
      const program = await bundleProgram(`
      import { postgresJournal } from "./src/journal/postgres/journal.ts";
      import { openPostgres } from "./src/journal/postgres/store.ts";
      import { systemClock } from "./src/lib/clock.ts";
      const [run, start] = process.argv.slice(2);
      await systemClock.sleep(Number(start) - systemClock.now());
      const store = await openPostgres({ url: process.env.STORE, repository: "mine" });
      const journal = postgresJournal(store, { clock: systemClock, alive: () => true, host: { name: "here", home: "", boot: "", processes: "" } });
      await journal.append(run, 0, [{ type: "a", data: run }]);
      await journal.close();
    `);
      const start = `${Date.now() + 600}`;
      const runs = ["p1", "p2", "p3", "p4"];
      const codes = runs.map(
        (run) =>
          new Promise((resolve) =>
            spawn(process.execPath, [program.file, run, start], {
              stdio: ["ignore", "ignore", "inherit"],
              env: { ...process.env, STORE: url },
            }).once("close", resolve),
          ),
      );
      expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
      expect([...(await journalOf(await open(url)).runs())].toSorted()).toEqual(runs);
      expect(server.psql(url, "SELECT * FROM mettle.version")).toBe(`${known}`);
    },
  );

  test("migrates with the runs in it, and an older program refuses it then and changes nothing", async () => {
    const url = server.newDatabase();
    await journalOf(await open(url)).append("r1", 0, [event(1)]);
    const newer = await open(url, { schema: newerSchema });
    expect(await journalOf(newer).read("r1")).toMatchObject([{ data: 1 }]);
    await expect(open(url)).rejects.toMatchObject({
      code: "journal_newer",
      exitCode: 5,
      detail: { found: known + 1, known },
    });
    expect(server.psql(url, "SELECT * FROM mettle.version")).toBe(`${known + 1}`);
  });

  test("stays as it was when a migration fails in the middle", async () => {
    const url = server.newDatabase();
    await open(url);
    const broken = { migrations: [...newerSchema.migrations, "SELECT 1 / 0"] };
    await expect(open(url, { schema: broken })).rejects.toThrow("division by zero");
    expect(server.psql(url, "SELECT * FROM mettle.version")).toBe(`${known}`);
    await open(url, { schema: newerSchema });
  });

  test("of another program is refused", async () => {
    const url = server.newDatabase();
    server.psql(url, "CREATE SCHEMA mettle; CREATE TABLE mettle.events (id int)");
    await expect(open(url)).rejects.toMatchObject({ code: "journal_corrupt" });
    expect(server.psql(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'mettle'")).toBe("1");
  });
});

describe.skipIf(!hasPostgres)("a store that cannot be used", () => {
  const password = () => new URL(server.url).password;
  const changed = (change: (url: URL) => void) => {
    const url = new URL(server.url);
    change(url);
    return url.href;
  };

  test("is reported with a hint, and nothing shows the password", async () => {
    const readOnly = server.newDatabase();
    await (await open(readOnly)).close(); // settings of a database are for later connections
    server.psql(
      server.url,
      `ALTER DATABASE ${new URL(readOnly).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    server.psql(server.url, `CREATE ROLE weak LOGIN PASSWORD '${password()}'`);
    server.psql(server.url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const place = (database: string) => `the store 127.0.0.1:${server.port}/${database}`;
    const troubles: [url: string, code: string, message: string][] = [
      [
        changed((url) => (url.password = `${password()}x`)),
        "store_unreachable",
        `${place("postgres")} refuses the user or has no such database`,
      ],
      [
        changed((url) => (url.pathname = "/absent")),
        "store_unreachable",
        `${place("absent")} refuses the user or has no such database`,
      ],
      [
        changed((url) => (url.port = "1")),
        "store_unreachable",
        "the store 127.0.0.1:1/postgres does not answer",
      ],
      [
        changed((url) => (url.pathname = "/latin")),
        "store_unsupported",
        `the database 127.0.0.1:${server.port}/latin has the encoding LATIN1`,
      ],
      [
        changed((url) => (url.username = "weak")),
        "state_unwritable",
        `${place("postgres")} cannot be written`,
      ],
      [`mettle:${password()}@127.0.0.1/x`, "config_invalid", "the URL of the store is no URL of PostgreSQL"],
      [
        server.url.replace("postgres:", "mysql:"),
        "config_invalid",
        "the URL of the store is no URL of PostgreSQL",
      ],
      [server.url.replace("@127", "@:127"), "config_invalid", "the URL of the store is no URL of PostgreSQL"],
    ];
    for (const [url, code, message] of troubles) {
      const error = await open(url, { lockTimeoutMs: 2000 }).catch((failure: unknown) => failure);
      expect([message, error]).toEqual([message, expect.objectContaining({ code, message })]);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(password());
    }
    const journal = journalOf(await open(readOnly));
    expect(await journal.runs()).toEqual([]);
    await expect(journal.append("r1", 0, [event(1)])).rejects.toMatchObject({ code: "state_unwritable" });
  });
});
