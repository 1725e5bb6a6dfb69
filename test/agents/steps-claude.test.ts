/** A worker on a prompt, played by the real Claude Code: its turn ends at a gate and continues in the same conversation. */
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { callHere } from "../cli/here.ts";
import { promptText, type Json } from "../envoy/plan-world.ts";
import { confinesHere } from "../sandbox/bubblewrap.ts";
import { createStepsWorld, implemented, merged, type StepsWorld } from "../steps/world.ts";
import { answersIn, userTextsIn } from "../support/conversation.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { withRealClaude } from "../support/real-agents.ts";
import type { ModelStep } from "../support/wire.ts";

withRealClaude("printed steps by the real Claude Code as the driver's worker", (file) => {
  let world: StepsWorld;
  let server: ModelServer;
  beforeAll(async () => {
    world = await createStepsWorld();
    server = await startModelServer();
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--requires-testing"]);
  });

  const mettle = async (...args: readonly string[]) => {
    const called = await callHere([...args, "--json"], {
      cwd: world.repository.dir,
      env: {
        ...world.env,
        PATH: `${dirname(file)}:${process.env["PATH"] ?? ""}`,
        METTLE_SANDBOX: confinesHere() ? "required" : "off",
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "dummy-key-of-the-test",
      },
    });
    return { ...called, json: JSON.parse(called.stdout) as Json };
  };

  test("a gate ends its turn, the answer starts the next one in the same conversation, and the prompt is merged", async () => {
    server.script([
      shell(implemented("1", "export const one = 1;")),
      // It would repeat the call until a person answers.
      shell(`while true; do ${gate}; sleep 1; done`),
    ]);
    const start = ["run", "--protocol", "implementation", "--input", "prompt_num=1", "--agent", "claude"];
    const stopped = await mettle(...start);
    expect([stopped.code, stopped.json["waiting"]], stopped.stderr).toMatchObject([3, { kind: "plan_gate" }]);
    const requestCount = server.requests.length;
    await world.answer("1_testing", { test_passed: "true", thoughts: "Well done" });
    // No model request before the answer.
    expect(server.requests).toHaveLength(requestCount);

    const report = { status: "DONE", message: "merged", payload: { success: true, merged: true } };
    server.script([
      shell(merged("1")),
      { tools: [{ name: "mcp__mettle__report", input: report }] },
      { text: "It is merged." },
    ]);
    const run = String(stopped.json["run"]);
    const done = await mettle("resume", run);
    expect([done.code, done.json["status"]], done.stderr).toEqual([0, "complete"]);
    expect(await world.fields("prompts/1.md")).toMatchObject({
      status: "merged",
      verification: { verdict: "pass" },
    });

    // The conversation contains the earlier work and then the answer.
    const [resumed = { body: "" }] = server.requests;
    const [first = "", second = ""] = userTextsIn(resumed);
    expect(first).toContain("Run `envoy protocol implementation` and follow the steps.");
    expect(second).toContain('"thoughts":"Well done","passed":true');
    const lines = answersIn(resumed).map(({ input }) => (input as { command: string }).command);
    expect(lines[0]).toContain("envoy plan start-prompt 1");
    expect(lines[1]).toContain(gate);
    const turns = (await world.events(run)).filter(({ type }) => type === "dispatch.started");
    expect(turns.map(({ conversation }) => conversation)).toEqual([
      turns[0]?.["conversation"],
      turns[0]?.["conversation"],
    ]);
    const isolation = confinesHere() ? /^bubblewrap / : /^none$/;
    for (const turn of turns) expect(turn["isolation"]).toMatch(isolation);
  }, 300_000);
});

const gate = "envoy plan block-prompt-testing-gate 1";

function shell(command: string): ModelStep {
  return { tools: [{ name: "Bash", input: { command } }] };
}
