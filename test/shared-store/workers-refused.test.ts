// @module-tag ci
/** What workers refuse, and what they tell a person. */
import { renameSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { newFolder } from "../support/folder.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import { cloneOf, sharedHost, sharedRepository } from "./world.ts";
import { agentOf, detach, startWorker, untilLog, workersOrigin, type Worker } from "./workers.ts";

describe.skipIf(!hasPostgres)("workers refuse", () => {
  let server: PostgresServer;
  const workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  });

  const start = async (...given: Parameters<typeof startWorker>) => {
    const worker = await startWorker(...given);
    workers.push(worker);
    return worker;
  };

  /** @param first what the first agent does */
  const detached = async (url: string, settings: string, first: string) => {
    const origin = await workersOrigin(await untestedFiles(), settings);
    const here = sharedHost(await cloneOf(origin), url);
    const cassette = await golden();
    cassette.roles.intake[0]?.does?.unshift({ shell: first });
    return { here, origin, run: await detach(here, await agentOf(cassette)) };
  };

  test("a worker whose key no operator enrolled, and a second one with one state home (worker_busy)", async () => {
    const url = server.newDatabase();
    const env = { METTLE_HOME: newFolder() };
    await expect(startWorker(url, [], { env })).rejects.toThrow("ended with 5: error[key_unenrolled]");
    const by = sharedHost(await cloneOf(await sharedRepository({ "a.txt": "" })), url);
    await start(url, [], { env, by });
    await expect(startWorker(url, [], { env })).rejects.toThrow("error[worker_busy]");
  }, 60_000);

  test("a run without a remote", async () => {
    const shared = await sharedRepository(await untestedFiles());
    const alone = sharedHost(shared.dir, server.newDatabase());
    const agent = `default=${await agentOf(await golden())}`;
    const args = ["run", "Add slugify(text)", "--detach", "--agent", agent];
    const refused = await alone.cli(args);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("error[remote_missing]")]);
    expect((await alone.cli(["status", "--json"])).json()).toMatchObject({ runs: [] });
  }, 60_000);

  test("a clone that cannot be installed (install_failed), which a person is asked about", async () => {
    const url = server.newDatabase();
    const { here, run } = await detached(url, "workers: { install: ['echo no disk >&2; false'] }\n", "true");
    await start(url, [], { by: here });
    const log = await untilLog(here, run, "waits for a person: A step could not be executed");
    expect(log).toContain(
      "error[install_failed]: `echo no disk >&2; false` failed with exit code 1: no disk",
    );
    expect((await here.cli(["status", run])).stdout).toContain("no disk");
  }, 60_000);

  test("a run whose remote is gone, until it is back", async () => {
    const url = server.newDatabase();
    const { here, origin, run } = await detached(url, "", "true");
    renameSync(origin.dir, `${origin.dir}-gone`);
    await start(url, [], { by: here });
    const log = await untilLog(here, run, "warning remote_failed: the remote");
    expect(log).not.toContain("intake#1: agent");
    renameSync(`${origin.dir}-gone`, origin.dir);
    expect((await untilLog(here, run, "5 questions asked")).match(/warning remote_failed/gu)).toHaveLength(1);
  }, 90_000);

  test("a job that kills each worker that takes it (job_set_aside)", async () => {
    const url = server.newDatabase();
    // The player's parent is the worker.
    const { here, run } = await detached(url, "", "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)");
    const dying = [];
    for (let death = 1; death <= 3; death++) {
      const worker = await start(url, [], { by: here });
      await untilLog(here, run, "intake#1: agent", death);
      dying.push(worker.name);
      expect(await worker.end("SIGCONT")).toBe(-1);
    }
    await start(url, [], { by: here });
    const log = await untilLog(here, run, "waits for a person: A step could not be executed");
    for (const name of dying) expect(log).toContain(`intake#1: worker ${name} died; another goes on`);
    expect(log).toContain("error[job_set_aside]");
  }, 120_000);
});
