/**
 * An agent that knows only the output of `envoy protocol` works from the first step to the last.
 * @module-tag ci
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, vi } from "vitest";
import { verifies } from "../verifies.ts";
import { wide } from "../wide.ts";
import { follow } from "./follower.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";
import { shellAgent } from "./test-agent.ts";
import { promptText, type Json } from "./plan-world.ts";
import { reviewer } from "./reviewer.ts";

// Each test runs a whole protocol.
vi.setConfig({ testTimeout: 180_000 });

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

const passes = { verdict: "passed" };

verifies(
  "ENV-89",
  "an agent that only follows the printed steps merges a fix and a feature, after a failed review and a failed test",
  async () => {
    await world.repository.write({
      ".gitignore": "mettle.yaml\nreview.yaml\n",
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "test/base.test.js": 'import { test } from "node:test";\ntest("base", () => {});\n',
    });
    await world.repository.git("add", "-A");
    await world.repository.git("commit", "--quiet", "-m", "A shop");
    await expectFix();
    // The same steps without logs, which the tests of the tools cover.
    if (wide) await expectFeature();
  },
);

async function expectFix(): Promise<void> {
  const base = await world.repository.git("rev-parse", "feature/x");
  await world.ok(["plan", "write-prompt", "1", ...promptText, "--debug"]);
  await reviewer(world, { verdict: "failed", suggested_changes: "Why 4?" }, passes, passes);
  const fix = (value: number) => ({
    "src/b.js": `// [DEBUG-TEMP]\nconsole.log("b");\n\nexport const b = ${value};\n`,
  });
  const debugged = await follow(world, shellAgent(world), {
    protocol: "debugging",
    id: "1",
    edits: [fix(0), fix(4), fix(5), fix(6)],
    person: [
      ["1_logging", { thoughts: "it is 0" }, "b is 0\n"],
      ["1_testing", { test_passed: "false", user_required_changes: "Say 6" }],
      ["1_testing", { test_passed: "true" }],
    ],
  });
  expect(debugged.merged).toBe(true);
  for (const command of [
    "plan block-debugging-logging-gate",
    "plan cleanup-debug-logs",
    "git merge-worktree",
  ])
    expect(debugged.ran).toContain(command);
  await expectMerged("1");
  expect(await world.repository.git("diff", "--name-only", base, "feature/x")).toBe("src/b.js");
  expect(await readFile(join(world.repository.dir, "src/b.js"), "utf8")).toBe("\nexport const b = 6;\n");
  expect(await world.repository.git("grep", "-c", "DEBUG-TEMP", "feature/x").catch(() => "none")).toBe(
    "none",
  );
}

async function expectFeature(): Promise<void> {
  const base = await world.repository.git("rev-parse", "feature/x");
  await world.ok(["plan", "write-prompt", "2", ...promptText, "--requires-testing"]);
  await reviewer(world, { verdict: "failed", suggested_changes: "Say 2" }, passes, passes);
  const price = (value: number) => ({ "src/a.ts": `export const a = ${value};\n` });
  const feature = await follow(world, shellAgent(world), {
    protocol: "implementation",
    id: "2",
    edits: [price(1), price(2), price(3)],
    person: [
      ["2_testing", { test_passed: "false", user_required_changes: "Say 3" }],
      ["2_testing", { test_passed: "true" }],
    ],
  });
  expect(feature.merged).toBe(true);
  await expectMerged("2");
  expect(await world.repository.git("diff", "--name-only", base, "feature/x")).toBe("src/a.ts");
  expect(await world.repository.git("show", "feature/x:src/a.ts")).toBe("export const a = 3;");
}

async function expectMerged(id: string): Promise<void> {
  const { walkthrough, verification } = (await world.fields(`prompts/${id}.md`)) as {
    walkthrough: Json[];
    verification: Json;
  };
  expect(walkthrough.map(({ type }) => type)).toEqual(["initial", "review-refinement", "testing-refinement"]);
  expect(verification).toMatchObject({ verdict: "pass" });
}
