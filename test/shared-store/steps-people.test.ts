// @module-tag ci
/** Gates of a plan whose run workers do: a person answers them in a checkout, by a command or in the gate's file. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres.ts";
import type { TempRepository } from "../support/repository.ts";
import { implemented, merged, surveyed } from "../steps/world.ts";
import { verifies } from "../verifies.ts";
import { cloneOf, sharedHost, type SharedHost } from "./world.ts";
import { agentOf, detach, startWorker, untilLog, untilStatus, type Worker } from "./workers.ts";
import {
  detachPrompt,
  filled,
  implementedDone,
  planFile,
  planHost,
  shopOrigin,
  writePrompt,
} from "./steps-world.ts";

const gate = "envoy plan block-prompt-testing-gate 1";

describe.skipIf(!hasPostgres)("gates of plans on workers", () => {
  let server: PostgresServer;
  let origin: TempRepository;
  let url = "";
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

  /** @returns a run that waits at the testing gate of prompt 1 */
  const untilTested = async (): Promise<string> => {
    await stopAll();
    url = server.newDatabase();
    origin = await shopOrigin();
    here = await planHost(origin, url);
    workers = [await startWorker(url, [], { by: here })];
    await writePrompt(here, "1", "--requires-testing");
    const run = await detachPrompt(here, [
      { does: [{ shell: implemented("1", "export const one = 1;") }, { shell: gate }] },
      {
        expects: [`\`${gate}\` answers:`, '"passed":true'],
        does: [{ shell: merged("1") }],
        report: implementedDone,
      },
    ]);
    await untilStatus(here, run, "waiting", 90_000);
    return run;
  };

  verifies(
    ["SCL-04", "SCL-09"],
    "a gate is answered by a command in the checkout, and another worker goes on from the answer",
    async () => {
      const run = await untilTested();
      const log = await untilLog(here, run, "1_testing waits for a person");
      expect(log).toContain(": .claude/plans/feature-x/user_feedback/1_testing.yaml\n");
      const [asked] = (await here.cli(["status", run, "--json"])).json()["runs"] as object[];
      expect(asked).toMatchObject({
        waiting: [{ commands: ["mettle answer 1_testing --set test_passed=true", `mettle resume ${run}`] }],
      });
      // The next worker has nothing of the first one but what is at the remote.
      await stopAll();
      const answered = await here.cli(["answer", "1_testing", "--set", "test_passed=true"]);
      expect([answered.code, answered.stderr]).toEqual([0, ""]);
      // What is to be tested is here.
      expect(await here.git("show", "feature/x--implementation-1:src/1.ts")).toBe("export const one = 1;\n");
      workers = [await startWorker(url, [], { by: here })];
      const resumed = await here.cli(["resume", run]);
      expect([resumed.code, resumed.stderr]).toEqual([0, ""]);
      await untilStatus(here, run, "complete", 90_000);
      expect((await here.cli(["verify", run])).code).toBe(0);
      expect((await here.cli(["show", run])).stdout).toContain(
        `  plan      ${planFile(here, "").slice(0, -1)}`,
      );
      expect(await readFile(planFile(here, "prompts/1.md"), "utf8")).toContain("status: merged");
      expect(existsSync(planFile(here, "user_feedback/1_testing.yaml"))).toBe(false);
    },
    240_000,
  );

  verifies(
    "SCL-09",
    "a gate's file is filled in on another host of the person, and what was changed there is never overwritten (plan_differs)",
    async () => {
      const run = await untilTested();
      const there = sharedHost(await cloneOf(origin), url);
      const shown = await there.cli(["show", run]);
      expect(shown.stdout).toContain(`  plan      ${planFile(there, "").slice(0, -1)}`);
      // Two people change the plan from the same state: the first one counts.
      await here.cli(["show", run]);
      await appendFile(planFile(here, "user_input.md"), "Mine\n");
      await writeFile(
        planFile(there, "user_feedback/1_testing.yaml"),
        await filled(there, "1_testing", { test_passed: "true", thoughts: "Well done" }),
      );
      expect((await there.cli(["resume", run])).code).toBe(0);
      await untilStatus(there, run, "complete", 90_000);
      const refused = await here.cli(["resume", run]);
      expect((await here.cli(["show", run])).stdout).toContain("was changed here");
      expect(await readFile(planFile(here, "user_input.md"), "utf8")).toMatch(/Mine\n$/u);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("error[plan_differs]")]);
      const answers = await readFile(planFile(there, "user_feedback/answered/1_testing.json"), "utf8");
      expect(JSON.parse(answers)).toMatchObject([{ fields: { test_passed: true, thoughts: "Well done" } }]);
    },
    240_000,
  );

  verifies(
    "SCL-09",
    "what a person changed goes to the workers once the remote is back, and is kept until then",
    async () => {
      const run = await untilTested();
      await here.cli(["show", run]);
      await stopAll();
      const file = planFile(here, "user_feedback/1_testing.yaml");
      await writeFile(file, await filled(here, "1_testing", { test_passed: "true" }));
      const [, worktree = ""] =
        /worktree (\S+)\n.*\nbranch \S+--implementation-1\n/u.exec(
          await here.git("worktree", "list", "--porcelain"),
        ) ?? [];
      renameSync(origin.dir, `${origin.dir}-gone`);
      const away = await here.cli(["resume", run]);
      expect([away.code, away.stderr]).toEqual([5, expect.stringContaining("error[remote_failed]")]);
      renameSync(`${origin.dir}-gone`, origin.dir);
      mkdirSync(`${origin.dir}/.git/hooks`, { recursive: true });
      await writeFile(`${origin.dir}/.git/hooks/pre-receive`, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      const failed = await here.cli(["resume", run]);
      expect([failed.code, failed.stderr]).toEqual([5, expect.stringContaining("error[remote_failed]")]);
      rmSync(`${origin.dir}/.git/hooks/pre-receive`);
      expect(existsSync(worktree)).toBe(true);
      expect(await readFile(planFile(here, "user_feedback/answered/1_testing.json"), "utf8")).toContain(
        '"test_passed": true',
      );
      expect((await here.cli(["resume", run])).code).toBe(0);
      workers = [await startWorker(url, [], { by: here })];
      await untilStatus(here, run, "complete", 90_000);
    },
    240_000,
  );

  verifies(
    "SCL-04",
    "a plan is surveyed and written by workers, a person decides on the findings, and the prompts are in the checkout",
    async () => {
      await stopAll();
      url = server.newDatabase();
      origin = await shopOrigin();
      here = await planHost(origin, url);
      workers = [await startWorker(url, [], { by: here })];
      const report = (payload: object) => ({ status: "DONE", message: "written", payload });
      const segments = [{ specialist: "surveyor", requirements: "Docs" }];
      const write =
        "envoy plan write-prompt 1 --description Docs --context How --criteria Works --files src/a.ts";
      const agent = await agentOf({
        version: 1,
        kind: "cassette",
        roles: {
          planner: [
            {
              does: [
                { shell: 'envoy plan write-plan --title Shop --objective "Sell things" --context "A shop"' },
              ],
              report: { status: "SEGMENTS", message: "one", payload: { segments, bug: false } },
            },
            { does: [{ shell: write }], report: { status: "DONE", message: "written" } },
          ],
        },
        nodes: {
          surveyor: {
            worker: [
              { does: [{ shell: surveyed("surveyor", "A page") }], report: report({ success: true }) },
            ],
          },
        },
      });
      const run = await detach(here, agent, ["Sell things", "--protocol", "plan"]);
      await untilLog(here, run, "findings_gate waits for a person");
      await untilStatus(here, run, "waiting", 60_000);
      // Without an answer nothing goes on, and the answer counts nevertheless.
      expect((await here.cli(["resume", run])).code).toBe(0);
      await stopAll();
      await writeFile(
        planFile(here, "user_feedback/findings_gate.yaml"),
        await filled(here, "findings_gate", { thoughts: "Good" }),
      );
      workers = [await startWorker(url, [], { by: here })];
      expect((await here.cli(["resume", run])).code).toBe(0);
      await untilStatus(here, run, "complete", 90_000);
      await here.cli(["show", run]);
      expect(await readFile(planFile(here, "prompts/1.md"), "utf8")).toContain("description: Docs");
      expect((await here.cli(["verify", run])).code).toBe(0);
    },
    240_000,
  );
});
