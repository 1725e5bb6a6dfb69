// @module-tag ci
/** Workers whose clocks are wrong by an hour: claims, jobs and records go by the server's time, or by no time. */
import { existsSync } from "node:fs";
import { afterAll, describe, expect } from "vitest";
import { golden, untestedFiles } from "../orchestrate/world.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { verifiesWhen } from "../verifies.ts";
import { cloneOf, sharedHost } from "./world.ts";
import {
  agentOf,
  answers,
  detach,
  startWorker,
  untilLog,
  untilStatus,
  workersOrigin,
  type Worker,
} from "./workers.ts";

/** Debian's faketime. */
const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

describe("workers with wrong clocks", () => {
  let workers: readonly Worker[] = [];
  afterAll(() => Promise.all(workers.map((worker) => worker.end("SIGKILL"))));

  verifiesWhen(
    hasPostgres && existsSync(library),
    "PostgreSQL or faketime is not installed",
    ["SCL-04", "SCL-05"],
    "two hours apart: one is killed, the other goes on, and the run ends with whole evidence",
    async () => {
      const url = (await startPostgres()).newDatabase();
      const here = sharedHost(await cloneOf(await workersOrigin(await untestedFiles())), url);
      const clocks = ["-1h", "+1h"].map((FAKETIME) => ({
        FAKETIME,
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        LD_PRELOAD: library,
      }));
      workers = await Promise.all(clocks.map((env) => startWorker(url, [], { by: here, env })));
      const cassette = await golden();
      cassette.roles.tester[0]?.does?.unshift({ shell: "sleep 4" });
      const run = await detach(here, await agentOf(cassette));
      await untilStatus(here, run, "waiting");
      await here.cli(["answer", run, ...answers]);
      await untilStatus(here, run, "waiting");
      await here.cli(["approve", run]);
      await untilLog(here, run, "red#1: agent");
      const busy = workers.find((worker) => worker.said().includes("began red#1"));
      const killed = performance.now();
      await busy?.end("SIGKILL");
      await untilLog(here, run, "died; another goes on");
      expect(performance.now() - killed).toBeLessThan(5000);
      await untilStatus(here, run, "waiting");
      await here.cli(["approve", run]);
      await untilStatus(here, run, "complete");
      expect((await here.cli(["verify", run, "--json"])).json()).toMatchObject({ verdict: "pass" });
      // Both clocks were in use.
      const { events } = (await here.cli(["log", run, "--json"])).json() as { events: { at: string }[] };
      const times = events.map(({ at }) => Date.parse(at));
      expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2 * 3_600_000);
    },
    180_000,
  );
});
