/** An agent started by the driver follows printed steps; a person answers the gates between its turns (ENV-88). */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, vi } from "vitest";
import { promptText, type Json } from "../envoy/plan-world.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { verifiesInCi } from "../verifies.ts";
import { createStepsWorld, implemented, merged, type StepsWorld } from "./world.ts";

vi.setConfig({ testTimeout: 180_000 });

let world: StepsWorld;
beforeAll(async () => void (world = await createStepsWorld()));

verifiesInCi(
  "ENV-88",
  "an unanswered gate ends the agent's turn, and its answer starts the next turn of the same conversation",
  async () => {
    const gate = "envoy plan block-prompt-testing-gate 1";
    const confines = confinesHere();
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
            { shell: spy(world.repository.dir) },
            { usage: { inputTokens: 100, outputTokens: 20 } },
            // It would ask until somebody answers.
            { shell: `while true; do echo asked >> asked; ${gate} --wait 300; sleep 0.2; done` },
          ],
        },
        {
          expects: [`\`${gate}\` answers:`, '"passed":true', '"thoughts":"Well done"'],
          does: [{ shell: merged("1") }],
          report: { status: "DONE", message: "merged", payload: { success: true, merged: true } },
        },
      ],
    });
    const stopped = await world.run(["run", "--protocol", "implementation", "--input", "prompt_num=1"], {
      METTLE_MUTATION_BUDGET: "0",
      METTLE_SANDBOX: confines ? "required" : "off",
    });
    const { run, waiting } = stopped.json as { run: string; waiting: Json };
    expect([stopped.code, waiting]).toMatchObject([
      3,
      {
        kind: "plan_gate",
        shown: expect.stringContaining(world.place("1_testing.yaml")) as string,
        commands: ["mettle answer 1_testing --set test_passed=true", `mettle resume ${run}`],
      },
    ]);
    const [first] = (await world.events(run)).filter(({ type }) => type === "dispatch.started");
    const folder = String(first?.["workspace"]);
    const asked = () => readFile(join(folder, "asked"), "utf8");
    const times = await asked();
    await pause(1_000);
    expect(await asked()).toBe(times);
    expect((await world.text("status", run)).stdout).toContain(
      "mettle answer 1_testing --set test_passed=true",
    );
    // Without an answer no agent starts.
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
    // If confined, it did all that without permission to change the repository.
    const found = await readFile(join(folder, "spy"), "utf8");
    if (confines) expect(found).toBe("refs: refused\nhooks: refused\nplan: refused\nread: done\n");
    expect(new Set(turns.map(({ conversation }) => conversation)).size).toBe(1);
    expect(await world.fields("prompts/1.md")).toMatchObject({
      status: "merged",
      verification: { verdict: "pass" },
    });
  },
);

/** What it tries beside its work. */
function spy(repository: string): string {
  return `try() { if sh -c "$2" 2> /dev/null; then echo "$1: done"; else echo "$1: refused"; fi; }
{ try refs 'echo x > ${repository}/.git/refs/heads/mine'
try hooks 'mkdir -p ${repository}/.git/hooks && echo x > ${repository}/.git/hooks/post-commit'
try plan 'echo x > ${repository}/.claude/plans/feature-x/plan.md'
try read 'git --git-dir=${repository}/.git log -1 > /dev/null'; } > spy`;
}
