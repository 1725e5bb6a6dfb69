/** Obsolete gates are closed, and each open gate names the command that answers it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { packageRoot } from "../../src/config/package-root.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import type { Json } from "./plan-world.ts";
import { inCi } from "../verifies.ts";

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

/** Runs envoy in a process, as an agent calls it. */
async function waits(line: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [packageRoot("dist/bin/mettle.js"), "envoy", ...line], {
    cwd: world.repository.dir,
    env: { ...world.env },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 90_000,
  });
  return text(child.stdout);
}

const open = async () => (await world.mettle("status")).json["gates"] as readonly Json[];

inCi(
  "the gate of a merged prompt is closed, cannot be answered, and its waiting call ends (fault E20)",
  async () => {
    const worktree = await world.prompt("1");
    await world.implement("1", worktree);
    await world.ok(["git", "commit", "1", "--message", "One"]);
    await world.review("1");
    await world.open(["plan", "block-prompt-testing-gate", "1"]);
    expect(await open()).toMatchObject([
      { gate: "1_testing", command: "mettle answer 1_testing --set test_passed=true" },
    ]);

    const late = waits(["plan", "block-prompt-testing-gate", "1", "--wait", "60"]);
    await world.ok(["git", "merge-worktree", "1"]);
    await world.ok(["plan", "complete-prompt", "1"]);
    expect(JSON.parse(await late)).toMatchObject({ error: { type: "already_merged" } });
    expect(await open()).toEqual([]);
    expect(existsSync(world.place("1_testing.yaml"))).toBe(false);
    const answered = await world.mettle("answer", "1_testing", "--set", "test_passed=true");
    expect(answered.json["error"]).toMatchObject({ code: "not_found" });
  },
);

test("a gate of a merged prompt that an earlier version left open is hidden, and an answer is refused with the reason (fault E20)", async () => {
  const worktree = await world.prompt("2");
  await world.implement("2", worktree, "2\n");
  await world.open(["plan", "block-prompt-testing-gate", "2"]);
  const prompt = await world.read("prompts/2.md");
  await world.write("prompts/2.md", prompt.replace("status: implemented", "status: merged"));
  expect(await open()).toEqual([]);
  const answered = await world.mettle("answer", "2_testing", "--set", "test_passed=true");
  expect(answered.json["error"]).toMatchObject({ code: "already_merged", message: "prompt 2 is merged" });
});

inCi(
  "the variants gate is closed by its answer, and so is the testing gate of a variant that was not chosen (fault E20)",
  async () => {
    for (const id of ["3 A", "3 B"]) {
      await world.implement(id, await world.prompt(id), `${id}\n`);
      await world.ok(["git", "commit", ...id.split(" "), "--message", id]);
      await world.review(id);
    }
    await world.open(["plan", "block-prompt-testing-gate", "3", "B"]);
    await world.open(["plan", "block-prompt-variants-gate", "3", "A"]);
    const [, variants] = await open();
    expect(variants?.["command"]).toBe(
      "mettle answer 3_variants --set variants.A.decision=main --set variants.B.decision=discard",
    );
    const { code } = await world.mettle(...String(variants?.["command"]).split(" ").slice(1));
    expect(code).toBe(0);
    expect(await open()).toEqual([]);
  },
);
