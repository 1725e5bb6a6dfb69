/** An agent that the driver started follows printed steps; a person answers the gates between its turns (ENV-88). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { promptText, type Json } from "../envoy/plan-world.ts";
import { verifies } from "../verifies.ts";
import { createStepsWorld, implemented, merged, type StepsWorld } from "./world.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let world: StepsWorld;
beforeAll(async () => {
  world = await createStepsWorld();
});
afterAll(() => world.remove());

verifies(
  "ENV-88",
  "a gate that nobody has answered ends the agent's turn, and its answer begins the next one of the same conversation",
  async () => {
    const gate = "envoy plan block-prompt-testing-gate 1";
    const pid = join(world.env["HOME"] ?? "", "pid");
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
    await world.cassette({
      worker: [
        {
          expects: [
            "Run `envoy protocol implementation` and follow the steps. INPUTS: `{ prompt_num: 1, feature_branch: feature/x }`",
          ],
          forbids: [gate],
          does: [
            { shell: implemented("1", "export const one = 1;") },
            { usage: { inputTokens: 100, outputTokens: 20 } },
            // It would ask until somebody answers.
            { shell: `echo $PPID > ${pid}; while true; do ${gate}; sleep 0.5; done` },
          ],
        },
        {
          expects: [`\`${gate}\` answers:`, '"passed":true', '"thoughts":"Well done"'],
          does: [{ shell: merged("1") }],
          report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
        },
      ],
    });
    const stopped = await world.run(["run", "--protocol", "implementation", "--input", "prompt_num=1"]);
    const { run, waiting } = stopped.json as { run: string; waiting: Json };
    expect([stopped.code, waiting]).toMatchObject([
      3,
      {
        kind: "plan_gate",
        shown: expect.stringContaining(world.place("1_testing.yaml")) as string,
        commands: ["mettle answer 1_testing --set FIELD=VALUE", `mettle resume ${run}`],
      },
    ]);
    const agent = Number(await readFile(pid, "utf8"));
    expect(() => process.kill(agent, 0)).toThrow("ESRCH");
    expect((await world.text("status", run)).stdout).toContain("mettle answer 1_testing --set FIELD=VALUE");
    // Nobody has answered, so nobody begins to work.
    const before = await world.text("log", run);
    const again = await world.run(["resume", run]);
    expect([again.code, again.json["waiting"]]).toEqual([3, waiting]);
    expect((await world.text("log", run)).stdout).toBe(before.stdout);
    expect(await world.text("answer", run, "given")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("mettle answer GATE --set") as string,
    });
    await world.answer("1_testing", { test_passed: "true", thoughts: "Well done" });
    const done = await world.run(["resume", run]);
    expect([done.code, done.json["status"], done.code === 0 ? "" : done.stderr]).toEqual([0, "complete", ""]);
    const turns = (await world.events(run)).filter(({ type }) => type === "dispatch.started");
    expect(turns.map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(new Set(turns.map(({ conversation }) => conversation)).size).toBe(1);
    expect(await world.fields("prompts/1.md")).toMatchObject({
      status: "merged",
      verification: { verdict: "pass" },
    });
  },
);
