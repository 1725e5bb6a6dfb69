// @module-tag ci
/** Workers that leave a run of printed steps: cut off, stopped by an operator, or killed again and again. */
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { enter, implemented, merged } from "../steps/world.ts";
import { start } from "../envoy/plan-world.ts";
import { verifies } from "../verifies.ts";
import type { SharedHost } from "./world.ts";
import { startWorker, untilLog, untilStatus, type Worker } from "./workers.ts";
import {
  detachPrompt,
  implementedDone,
  planHost,
  shopOrigin,
  staysOnce,
  writePrompt,
} from "./steps-world.ts";

const whole = [{ shell: implemented("1", "export const one = 1;") }, { shell: merged("1") }];

describe.skipIf(!hasPostgres)("workers that leave printed steps", () => {
  let server: PostgresServer;
  let url = "";
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

  const another = async (): Promise<Worker> => {
    const worker = await startWorker(url, [], { by: here });
    workers = [...workers, worker];
    return worker;
  };

  const begin = async (): Promise<Worker> => {
    await stopAll();
    url = server.newDatabase();
    origin = await shopOrigin();
    here = await planHost(origin, url);
    await writePrompt(here, "1");
    return another();
  };

  verifies(
    "SCL-05",
    "a worker that was only stopped pushes no pack and appends no event when it is back",
    async () => {
      const first = await begin();
      const stays = staysOnce(9);
      const does = [{ shell: stays.shell }, ...whole];
      const run = await detachPrompt(here, [{ does, report: implementedDone }]);
      await vi.waitFor(() => expect(stays.isThere()).toBe(true), 30_000);
      process.kill(first.pid, "SIGSTOP");
      await another();
      await untilStatus(here, run, "complete", 90_000);
      await vi.waitFor(() => origin.git("rev-parse", `mettle/${run}/result`), 20_000);
      const refs = await origin.git("for-each-ref");
      expect(await first.end("SIGCONT")).toBe(5);
      expect(first.said()).toContain("error[claim_lost]");
      expect(await origin.git("for-each-ref")).toBe(refs);
      const log = (await here.cli(["log", run])).stdout;
      for (const once of ["follow#1 -> DONE", "gate shown_in_plan: pass", "ended complete"])
        expect([once, log.split(once).length - 1]).toEqual([once, 1]);
      expect((await here.cli(["verify", run])).code).toBe(0);
    },
    240_000,
  );

  verifies(
    "SCL-04",
    "a worker that an operator stops hands over what its agent had not committed",
    async () => {
      const first = await begin();
      const stays = staysOnce(90);
      const begun = `set -e\nenvoy ${start("1").join(" ")}\n${enter("1")}\nmkdir -p src\n`;
      const file = `[ -e ${stays.file} ] && grep -q early src/early.ts || echo 'export const early = 1;' > src/early.ts`;
      const does = [{ shell: `${begun}${file}` }, { shell: stays.shell }, ...whole];
      const run = await detachPrompt(here, [{ does, report: implementedDone }]);
      await vi.waitFor(() => expect(stays.isThere()).toBe(true), 30_000);
      // The second agent writes no such file.
      expect(await first.end("SIGTERM")).toBe(0);
      const pack = `refs/mettle/runs/${run}/plan`;
      const list = JSON.parse(await origin.git("show", `${pack}:pack.json`)) as {
        branches: { commit: string; work: string }[];
      };
      const changed = list.branches.map(({ commit, work }) =>
        origin.git("diff", "--name-only", commit, work),
      );
      expect(await Promise.all(changed)).toEqual(["src/early.ts"]);
      await another();
      await untilStatus(here, run, "complete", 90_000);
      expect((await here.cli(["land", run])).code).toBe(0);
      expect(await here.git("show", "feature/x:src/early.ts")).toBe("export const early = 1;\n");
    },
    240_000,
  );

  verifies(
    "SCL-05",
    "an agent of which three workers died is set aside, and a person is asked (job_set_aside)",
    async () => {
      let last = await begin();
      // The player's parent is the worker.
      const shell = "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat)";
      const run = await detachPrompt(here, [{ does: [{ shell }], report: implementedDone }]);
      for (let death = 1; death <= 3; death++) {
        await untilLog(here, run, "agent scripted", death);
        expect(await last.end("SIGCONT")).toBe(-1);
        last = await another();
      }
      const log = await untilLog(here, run, "error[job_set_aside]");
      expect(log.match(/worker \S+ died; another goes on/gu)).toHaveLength(3);
      await untilStatus(here, run, "waiting");
    },
    240_000,
  );
});
