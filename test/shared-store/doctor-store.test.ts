// @module-tag ci
/** What `mettle doctor --store` finds at a sound store, and at stores with one thing wrong (SCL-10). */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { readFileSync } from "node:fs";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { verifies } from "../verifies.ts";
import { untestedFiles } from "../orchestrate/world.ts";
import { startWorker, workersOrigin, type Worker } from "./workers.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly seen: string;
  readonly help: string | null;
}

describe.skipIf(!hasPostgres)("mettle doctor --store", () => {
  let server: PostgresServer;
  let url = "";
  let here: SharedHost;
  let worker: Worker;

  beforeAll(async () => {
    server = await startPostgres();
    url = server.newDatabase();
    here = sharedHost(await cloneOf(await workersOrigin(await untestedFiles())), url);
    worker = await startWorker(url, [], { by: here });
  }, 60_000);
  afterAll(() => worker.end("SIGKILL"));

  const examined = async (given: string | null = url) => {
    const { code, stdout, json } = await here.cli(["doctor", "--store", "--json"], given);
    expect(stdout).not.toContain(new URL(url).password);
    return { code, checks: json()["checks"] as readonly Finding[] };
  };
  const wrong = async (given: string | null) => {
    const { code, checks } = await examined(given);
    return {
      code,
      found: checks.filter(({ state }) => state === "fail").map(({ name, seen }) => [name, seen]),
    };
  };
  const changed = (change: (url: URL) => void): string => {
    const copy = new URL(url);
    change(copy);
    return copy.href;
  };

  verifies(
    "SCL-10",
    "a sound store with a worker is ok in all lines",
    async () => {
      const { version } = JSON.parse(readFileSync(packageRoot("package.json"), "utf8")) as {
        version: string;
      };
      const named = `1 worker alive: ${worker.name} (${version})`;
      // A worker names its version with its first sign of life.
      const { code, checks } = await vi.waitFor(
        async () => {
          const found = await examined();
          expect(found.checks.map(({ seen }) => seen)).toContain(named);
          return found;
        },
        { timeout: 20_000, interval: 500 },
      );
      expect(checks.filter(({ state }) => state !== "ok")).toEqual([]);
      expect(code).toBe(0);
      expect(Object.fromEntries(checks.map(({ name, seen }) => [name, seen]))).toEqual({
        variable: "METTLE_STORE_URL is set",
        server: expect.stringMatching(/^PostgreSQL \d+.* at 127\.0\.0\.1:\d+\/test_1$/u),
        writing: "the server takes changes",
        rights: "the user of the URL may do what a worker needs",
        tables: "the tables are those of this Mettle",
        clock: expect.stringMatching(/^the server's clock is [\d.]+ s (?:ahead|behind)$/u),
        connections: expect.stringMatching(/^\d+ of 100 connections are used$/u),
        jobs: "0 jobs waiting, 0 at work",
        workers: named,
        keys: "2 keys enrolled; this host signs as first",
        remote: "origin answers",
      });
      const { stdout } = await here.cli(["doctor", "--store"]);
      expect(stdout).toContain("A worker has all it needs.");
    },
    60_000,
  );

  verifies(
    "SCL-10",
    "a store that no worker can use fails with what is wrong",
    async () => {
      expect(await wrong(null)).toEqual({ code: 5, found: [["variable", "METTLE_STORE_URL is not set"]] });
      expect(await wrong(changed((one) => (one.port = "1")))).toEqual({
        code: 5,
        found: [["server", expect.stringContaining("does not answer")]],
      });
      server.psql(url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
      expect(await wrong(changed((one) => (one.pathname = "/latin")))).toEqual({
        code: 5,
        found: [["server", expect.stringContaining("has the encoding LATIN1")]],
      });
      server.psql(url, "CREATE ROLE reader LOGIN PASSWORD 'readers-word' IN ROLE pg_read_all_data");
      server.psql(url, "ALTER ROLE reader SET default_transaction_read_only = on");
      const reader = changed((one) => Object.assign(one, { username: "reader", password: "readers-word" }));
      expect(await wrong(reader)).toEqual({
        code: 5,
        found: [
          ["writing", expect.stringContaining("the server only reads")],
          ["rights", expect.stringMatching(/^the user of the URL lacks .* and \d+ more$/u)],
        ],
      });
      server.psql(url, "UPDATE mettle.version SET version = version + 1");
      expect(await wrong(url)).toEqual({
        code: 5,
        found: [["server", expect.stringContaining("this Mettle knows up to version")]],
      });
      server.psql(url, "UPDATE mettle.version SET version = version - 1");
    },
    60_000,
  );

  test("what a worker can live with is a warning, and changes nothing", async () => {
    const empty = server.newDatabase();
    await here.git("remote", "set-url", "origin", "/nowhere");
    const { code, checks } = await examined(empty);
    expect(code).toBe(0);
    expect(checks.filter(({ state }) => state === "warn").map(({ name, seen }) => [name, seen])).toEqual([
      ["workers", "no worker is alive"],
      ["remote", "origin does not answer, or refuses the login"],
    ]);
    expect(checks.find(({ name }) => name === "tables")?.seen).toContain("there are no tables yet");
    expect(server.psql(empty, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'mettle%'")).toBe("0");
    expect((await here.cli(["doctor", "--store", "--run"])).code).toBe(2);
  }, 60_000);
});
