/** Every call of envoy is logged, and `mettle log` shows it. */
import { spawnSync } from "node:child_process";
import { beforeAll, expect } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { callTool } from "../../src/envoy/tools.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createPlanWorld, promptText, type PlanWorld } from "./plan-world.ts";

let world: PlanWorld;
beforeAll(async () => void (world = await createPlanWorld()));

const log = async (...more: string[]) => {
  const { code, stdout, stderr } = await callHere(["log", ...more], {
    cwd: world.repository.dir,
    env: world.env,
  });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};

verifies(
  "ENV-61",
  "the log has command, arguments, agent, branch, code and duration of successful and of refused calls",
  async () => {
    const who = ["--agent", "backend_1"];
    await world.ok([...who, "plan", "init"]);
    await world.ok(["plan", "write-prompt", "1", ...promptText, "--agent=backend_1"]);
    await world.refused(["plan", "read-prompt", "7", ...who, "--feature-branch", "feature/x"]);
    const call = { at: expect.stringMatching(/^\d{4}-.*Z$/u), agent: "backend_1", branch: "feature/x" };
    const entries = [
      { ...call, command: "plan init", arguments: who, code: 0 },
      {
        ...call,
        command: "plan write-prompt",
        arguments: ["1", ...promptText, "--agent=backend_1"],
        code: 0,
      },
      {
        ...call,
        command: "plan read-prompt",
        arguments: ["7", ...who, "--feature-branch", "feature/x"],
        code: 2,
      },
    ].map((entry) => ({ ...entry, duration_ms: expect.any(Number) }));
    expect(JSON.parse(await log("--json"))).toEqual({ version: 1, run: null, events: [], calls: entries });
    expect(await log()).toMatch(
      /^calls of envoy:\n.* exit 0 \d+ ms backend_1 on feature\/x: envoy plan init --agent backend_1\n.*\n.* exit 2 .*\n$/u,
    );

    // The program itself, from a worktree, and a tool; help is not logged.
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const tree = `${world.repository.dir}/.claude/tree`;
    await world.repository.git("worktree", "add", "--quiet", "-b", "other", tree);
    for (const line of [
      ["protocol", "debugging", "--agent", "x"],
      ["protocol", "debugging"],
      ["--help"],
      ["plan", "next", "--help"],
    ])
      spawnSync(process.execPath, [packageRoot("dist/bin/envoy.cjs"), ...line], {
        cwd: tree,
        env: world.env,
      });
    await callHere([], { cwd: world.repository.dir, env: world.env }, async () => {
      const options = { cwd: world.repository.dir, texts: "files", which: "all" } as const;
      await callTool(
        "envoy_plan_write_notes",
        { agent_name: "a", notes: `${secret} ${"x".repeat(400)}`, agent: "b" },
        options,
      );
      return 0;
    });
    const { calls } = JSON.parse(await log("--json")) as { calls: readonly Record<string, unknown>[] };
    expect(calls.slice(3)).toMatchObject([
      { command: "protocol", code: 2, branch: "other", agent: "x" },
      { command: "protocol", arguments: ["debugging"], code: 0, branch: "other", agent: null },
      { command: "plan write-notes", code: 0, branch: "feature/x", agent: "b" },
    ]);
    expect(JSON.stringify(calls)).not.toContain(secret);
    expect(JSON.stringify(calls).length).toBeLessThan(2_000);
  },
);
