// @module-tag ci
/** Runs of printed steps that workers do, one at a time: the plan, its branches and its worktrees go from host to host. */
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { implemented, merged } from "../steps/world.ts";
import { verifies } from "../verifies.ts";
import type { SharedHost } from "./world.ts";
import { startWorker, untilLog, untilSaid, untilStatus, type Worker } from "./workers.ts";
import {
  detachPlan,
  detachPrompt,
  implementedDone,
  mergedTurn,
  planHost,
  shopOrigin,
  staysOnce,
  writePrompt,
} from "./steps-world.ts";

describe.skipIf(!hasPostgres)("printed steps on workers", () => {
  let server: PostgresServer;
  let origin: TempRepository;
  let here: SharedHost;
  let workers: Worker[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => stopAll());

  const stopAll = async () => {
    await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
    workers = [];
  };

  /** A database, a remote and workers of its own. */
  const begin = async () => {
    await stopAll();
    const url = server.newDatabase();
    origin = await shopOrigin();
    here = await planHost(origin, url);
    workers = [await startWorker(url, [], { by: here }), await startWorker(url, [], { by: here })];
  };

  const busy = (run: string) => workers.findIndex((worker) => worker.said().includes(`began run ${run}`));

  /** The run is complete: its evidence is whole here, and it lands on the feature branch. */
  const landsOn = async (run: string) => {
    const result = await vi.waitFor(() => origin.git("rev-parse", `mettle/${run}/result`), 20_000);
    const verified = await here.cli(["verify", run, "--json"]);
    expect([verified.code, verified.json()["verdict"]], verified.stdout).toEqual([0, "pass"]);
    const landed = await here.cli(["land", run]);
    expect([landed.code, landed.stderr]).toEqual([0, ""]);
    expect((await here.git("rev-parse", "feature/x")).trim()).toBe(result);
    const subjects = (await here.git("log", "--format=%s", "main..feature/x")).trim().split("\n");
    return subjects.toSorted();
  };

  verifies(
    ["SCL-04", "SCL-05"],
    "a prompt whose worker is killed is ended by another one, from what the first one had handed over",
    async () => {
      await begin();
      await writePrompt(here, "1");
      const stays = staysOnce();
      const run = await detachPrompt(here, [
        {
          does: [
            { shell: implemented("1", "export const one = 1;") },
            { shell: stays.shell },
            { shell: merged("1") },
          ],
          report: implementedDone,
        },
      ]);
      await untilLog(here, run, "agent scripted");
      // The first agent is in the middle of its steps.
      await vi.waitFor(() => expect(stays.isThere()).toBe(true), 30_000);
      const first = busy(run);
      expect(first).toBeGreaterThanOrEqual(0);
      await workers[first]?.end("SIGKILL");
      await untilStatus(here, run, "complete", 120_000);
      await untilSaid(workers[1 - first], `done run ${run}`);
      expect(await landsOn(run)).toEqual(["Add 1", "Merge prompt 1 implementation"]);
      expect(await here.git("show", "feature/x:src/1.ts")).toBe("export const one = 1;\n");
    },
    240_000,
  );

  verifies(
    ["SCL-04", "SCL-05"],
    "two prompts of a plan at once, and a third after them, are merged although a worker is killed between",
    async () => {
      await begin();
      for (const id of ["1", "2"]) await writePrompt(here, id);
      await writePrompt(here, "3", "--depends-on", "1,2");
      const stays = staysOnce();
      const run = await detachPlan(
        here,
        { 1: mergedTurn("1"), 2: mergedTurn("2"), 3: mergedTurn("3", "feature/x", stays.shell) },
        "--parallel",
        "2",
      );
      await vi.waitFor(() => expect(stays.isThere()).toBe(true), 60_000);
      const first = busy(run);
      await workers[first]?.end("SIGKILL");
      await untilStatus(here, run, "complete", 120_000);
      expect(await landsOn(run)).toEqual([
        "Add 1",
        "Add 2",
        "Add 3",
        ...["1", "2", "3"].map((id) => `Merge prompt ${id} implementation`),
      ]);
      expect(workers[1 - first]?.said()).not.toMatch(/^(failed|open) /mu);
      const { events } = (await here.cli(["log", run, "--json"])).json() as { events: { text: string }[] };
      // Only the agent that was killed began again.
      expect(events.filter(({ text }) => text.includes("agent scripted"))).toHaveLength(4);
    },
    240_000,
  );
});
