// @module-tag ci
/** Limits of queues over four workers, counted by the scripted agents themselves (SCL-03). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { verifies } from "../verifies.ts";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import { detach, startWorker, untilLog, workersOrigin, type Worker } from "./workers.ts";

const workerCount = 4;

describe.skipIf(!hasPostgres)("jobs of workers", () => {
  let server: PostgresServer;
  let url = "";
  let here: SharedHost;
  let workers: readonly Worker[] = [];
  const folder = newFolder();
  const counts = join(folder, "counts");
  const wanted = join(folder, "wanted");
  const files = { one: join(folder, "one.yaml"), two: join(folder, "two.yaml") };

  beforeAll(async () => {
    server = await startPostgres();
    url = server.newDatabase();
    for (const [account, file] of Object.entries(files)) {
      const cassette = await golden();
      const busy = join(folder, `busy-${account}`);
      mkdirSync(busy);
      // Waits until as many work as are wanted, and then a second for one too many.
      const all = `ls ${folder}/busy-* | grep -c '^[0-9]'`;
      const script = [
        `touch ${busy}/$$`,
        `echo "$(${all}) $(ls ${busy} | wc -l)" >> ${counts}`,
        `for look in $(seq 300); do test $(${all}) -ge $(cat ${wanted}) && break; sleep 0.1; done`,
        "sleep 1",
        `rm ${busy}/$$`,
      ];
      cassette.roles.intake[0]?.does?.unshift({ shell: script.join("; ") });
      writeFileSync(file, stringify(cassette));
    }
    const accounts = Object.entries(files).map(([account, file]) => `"scripted:${file}": ${account}`);
    const origin = await workersOrigin(
      await untestedFiles(),
      `agents: { default: "scripted:${files.one}", accounts: { ${accounts.join(", ")} } }\n`,
    );
    here = sharedHost(await cloneOf(origin), url);
    workers = await Promise.all(
      Array.from({ length: workerCount }, () => startWorker(url, [], { by: here })),
    );
  }, 120_000);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  });

  const begin = (account: keyof typeof files) => detach(here, `scripted:${files[account]}`);

  /** @param count of agents that may work at once @returns the largest numbers: in all, and of one account */
  const atOnce = async (accounts: readonly (keyof typeof files)[], count: number) => {
    rmSync(counts, { force: true });
    writeFileSync(wanted, String(count));
    const runs = await Promise.all(accounts.map((account) => begin(account)));
    for (const run of runs) await untilLog(here, run, "intake#1 -> QUESTIONS");
    const lines = readFileSync(counts, "utf8").trim().split("\n");
    expect(lines).toHaveLength(accounts.length);
    const pairs = lines.map((line) => line.split(" ").map(Number));
    return [0, 1].map((at) => Math.max(...pairs.map((pair) => pair[at] ?? 0)));
  };

  const limit = async (queue: string, ...limits: readonly string[]) => {
    const set = await here.cli(["queues", "limit", queue, ...limits]);
    expect([set.code, set.stderr]).toEqual([0, ""]);
  };
  const six = ["one", "two", "one", "two", "one", "two"] as const;

  verifies(
    "SCL-03",
    "a run that is submitted many times at once is done once",
    async () => {
      const run = await begin("one");
      await Promise.all([1, 2, 3, 4].map(() => here.cli(["resume", run])));
      await untilLog(here, run, "intake#1 -> QUESTIONS");
      const said = workers.map((worker) => worker.said()).join("\n");
      expect(said.match(new RegExp(`^began intake#1 of run ${run}$`, "gmu"))).toHaveLength(1);
      expect((await here.cli(["log", run])).stdout.match(/intake#1: agent/gu)).toHaveLength(1);
    },
    120_000,
  );

  verifies(
    "SCL-03",
    "a provider's limit holds over all workers, and is used up",
    async () => {
      await limit("agent scripted", "--all", "3");
      expect((await atOnce(six, 3))[0]).toBe(3);
    },
    120_000,
  );

  verifies(
    "SCL-03",
    "an account's limit holds for each account alone",
    async () => {
      await limit("agent scripted", "--all", "none", "--each", "1");
      expect(await atOnce(six, 2)).toEqual([2, 1]);
    },
    120_000,
  );

  verifies(
    "SCL-03",
    "a repository's limit holds for the runs that are driven",
    async () => {
      await limit("agent scripted", "--each", "none");
      await limit("run", "--each", "2");
      expect((await atOnce(six, 2))[0]).toBe(2);
    },
    120_000,
  );

  test("queues are listed with their limits, and a bad limit is refused", async () => {
    const listed = (await here.cli(["queues", "list", "--json"])).json();
    expect(listed["queues"]).toContainEqual({
      queue: "run",
      worker: 4,
      all: null,
      each: 2,
      waiting: 0,
      working: 0,
    });
    const bad = await here.cli(["queues", "limit", "run", "--each", "0"]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("error[usage]")]);
  }, 60_000);
});
