/** Blocking gates: a person answers in a file, or by a command, and the waiting call gets the answer. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { envoy } from "../../src/envoy/envoy.ts";
import { callHere } from "../cli/here.ts";
import { verifies } from "../verifies.ts";
import { createGateWorld, fill, type GateWorld } from "./gate-world.ts";
import { record, walkthrough, type Json } from "./plan-world.ts";

let world: GateWorld;
let worktree = "";
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(async () => {
  await world.reset();
  worktree = await world.prompt("1", "--requires-testing");
});

const call = ["plan", "block-prompt-testing-gate", "1"];
const wait = (seconds: string) => [...call, "--wait", seconds];

verifies(["ENV-70", "ENV-40"], "a person tests by hand, and passes or requires changes", async () => {
  expect(await world.refused(call)).toMatchObject({ code: 2, type: "invalid_status" });
  expect(existsSync(world.place("1_testing.yaml"))).toBe(false);
  await world.implement("1", worktree);
  await world.open(call);
  expect(await world.saved("1_testing.yaml")).toMatch(
    /^test_passed: null\nuser_required_changes: ""\nthoughts: ""\n$/mu,
  );
  // No default: done alone is not a pass, and a failure needs a reason.
  await world.answer("1_testing", {});
  expect(await world.refused(wait("0.6"))).toMatchObject({
    code: 3,
    message: expect.stringContaining("test_passed: no decision") as string,
  });
  await world.answer("1_testing", { test_passed: "false" });
  expect(await world.refused(wait("0.6"))).toMatchObject({ code: 3 });
  expect(await world.saved("1_testing.yaml.error")).toContain(
    "user_required_changes: describe the required changes",
  );
  const refused = "user_required_changes: describe the required changes";
  const status = await world.mettle("status");
  expect(status.json["gates"]).toMatchObject([
    { gate: "1_testing", refused: expect.stringContaining(refused) as string },
  ]);
  await writeFile(
    world.place("1_testing_logs.md"),
    `${await world.saved("1_testing_logs.md")}Error: it blinks\n`,
  );
  await world.answer("1_testing", {
    test_passed: "false",
    user_required_changes: '"Do not blink"',
    thoughts: '"Nice colour"',
  });
  expect(await world.ok(call)).toEqual({
    thoughts: "Nice colour",
    passed: false,
    user_required_changes: "Do not blink",
    refinements: "Do not blink",
    logs: "Error: it blinks\n",
    duration_ms: expect.any(Number) as number,
  });
  expect(await world.fields("prompts/1.md")).toMatchObject({ status: "implemented", current_iteration: 2 });
  expect((await world.ok(["plan", "read-prompt", "1"]))["pending_refinement"]).toEqual({
    source: "testing",
    text: "Do not blink\n\nNice colour",
  });
  await writeFile(join(worktree, "src", "a.ts"), "2\n");
  await world.ok(record("1", 2, walkthrough(2, "testing-refinement")));
  await world.open(call);
  await world.answer("1_testing", { test_passed: "true" });
  const duration_ms = expect.any(Number) as number;
  expect(await world.ok(call)).toEqual({ thoughts: "", passed: true, duration_ms });
  const fields = await world.fields("prompts/1.md");
  await world.repository.git("-C", worktree, "add", "-A");
  const tree = await world.repository.git("-C", worktree, "write-tree");
  expect((fields["reviews"] as readonly Json[]).at(-1)).toMatchObject({ passed: true, tree });
  expect(fields).toMatchObject({ status: "tested", pending_refinement: null });

  await world.implement("2 A", await world.prompt("2 A"));
  await world.open(["plan", "block-prompt-testing-gate", "2", "A"]);
  expect(["2_A_testing.yaml", "2_A_testing_logs.md"].map((file) => existsSync(world.place(file)))).toEqual([
    true,
    true,
  ]);
});

verifies(
  ["ENV-78", "ENV-79", "ENV-80"],
  "a gate's file shows the question, is never overwritten, and gets an error file beside it",
  async () => {
    const notified = world.place("notified.txt");
    await world.repository.write({
      "mettle.yaml": `version: 1\nnotify: { command: "cat >> '${notified}'" }\n`,
    });
    await writeFile(join(worktree, "extra.txt"), "x\n");
    await world.implement("1", worktree);
    const began = Date.now();
    await world.refused(wait("1"));
    expect(Date.now() - began).toBeGreaterThan(950);
    const first = await world.saved("1_testing.yaml");
    for (const part of [
      "Does a thing",
      "It is done",
      "Branch: feature/x--implementation-1\n",
      `Worktree: ${worktree}\n`,
      "added    extra.txt\n",
      "Changed, but not reported: extra.txt\n",
      "set `done: true`",
      "mettle answer 1_testing",
    ])
      expect(first).toContain(part);
    expect(first).toMatch(/^# Tree: [0-9a-f]{40}$/mu);
    expect(first).toMatch(/^done: false$/mu);
    expect(first).toMatch(/^thoughts: ""$/mu);
    expect(JSON.parse(await world.saved("notified.txt"))).toMatchObject({ kind: "gate", gate: "1_testing" });
    expect(world.place("").startsWith(worktree)).toBe(false);
    // A partial answer stays when the waiting call has ended; the next call uses it.
    const half = fill(first, { test_passed: "true", thoughts: '"not yet' });
    await writeFile(world.place("1_testing.yaml"), half);
    expect(await world.refused(wait("1"))).toMatchObject({ code: 3, type: "waiting_for_person" });
    expect(await world.saved("1_testing.yaml")).toBe(half);
    for (const [change, field] of [
      [{ test_passed: "maybe" }, "test_passed"],
      [{ test_passed: "true\nnonsense: 1" }, "nonsense"],
      [{ test_passed: "null" }, "test_passed"],
      [{ test_passed: "true", user_required_changes: '"more"' }, "user_required_changes"],
      [{ test_passed: "true", thoughts: "[a]" }, "thoughts"],
      [{ test_passed: "true", done: "yes" }, "done"],
    ] as const) {
      const wrong = fill(first, { done: "true", ...change });
      await writeFile(world.place("1_testing.yaml"), wrong);
      const refused = await world.envoy(wait("0.6"));
      expect([field, refused.code]).toEqual([field, 3]);
      expect(refused.stderr).toContain(`1_testing.yaml: ${field}: `);
      expect(await world.saved("1_testing.yaml.error")).toMatch(new RegExp(`^${field}: `, "u"));
      expect(await world.saved("1_testing.yaml")).toBe(wrong);
    }
    // The answer comes while the call waits: first half saved, then complete.
    await writeFile(world.place("1_testing.yaml"), half);
    let savedAt = 0;
    setTimeout(() => {
      savedAt = Date.now();
      const whole = fill(first, { test_passed: "true", thoughts: '"good"', done: "true" });
      void writeFile(world.place("1_testing.yaml"), whole);
    }, 700);
    expect(await world.ok(call)).toMatchObject({ passed: true, thoughts: "good" });
    expect(Date.now() - savedAt).toBeLessThan(2000);
    for (const file of ["1_testing.yaml", "1_testing.yaml.error"])
      expect(existsSync(world.place(file))).toBe(false);
    await world.repository.write({ "mettle.yaml": null });
    for (const name of ["implementation", "debugging"])
      expect((await world.envoy(["protocol", name])).stdout).toContain("allow it 600 seconds");
    expect(await world.refused([...call, "--wait", "541"])).toMatchObject({ code: 2, type: "usage" });
  },
);

verifies(
  "ENV-92",
  "an answer is recorded, applied, its file removed, and returned again for the same work",
  async () => {
    await world.implement("1", worktree);
    await world.open(call);
    await world.answer("1_testing", { test_passed: "false", user_required_changes: '"More"' });
    const first = await world.ok(call);
    const input = await world.userInput();
    expect([...input.matchAll(/^## \[Testing of prompt 1, iteration 1\]$/gmu)]).toHaveLength(1);
    expect(input).toContain("The test did not pass.\n\nMore\n");
    const again = await world.ok(call);
    expect({ ...again, duration_ms: 0 }).toEqual({ ...first, duration_ms: 0 });
    expect(await world.userInput()).toBe(input);
    // The gate opens again with --again, and for other work.
    await world.open([...call, "--again"]);
    await world.answer("1_testing", { test_passed: "true" });
    expect(await world.ok(call)).toMatchObject({ passed: true });
    await writeFile(join(worktree, "src", "a.ts"), "2\n");
    await world.open(call);
  },
);

verifies(
  ["ENV-71", "ENV-72"],
  "the logs of a debug prompt are returned, only their end if they are long",
  async () => {
    const lines = ["plan", "block-debugging-logging-gate"];
    expect(await world.refused([...lines, "1"])).toMatchObject({ code: 2, type: "not_debug" });
    expect(existsSync(world.place("1_logging.yaml"))).toBe(false);
    const path = await world.prompt("2", "--debug");
    await world.open([...lines, "2"]);
    expect(await world.saved("2_logging.yaml")).toContain("There is no [DEBUG-TEMP] marker in the worktree.");
    await writeFile(
      join(path, "src", "a.ts"),
      "// [DEBUG-TEMP]\nlog();\n\nlet a;\n// [DEBUG-TEMP]\nlog(a);\n",
    );
    // Nobody has edited the file, so it is updated.
    await world.open([...lines, "2"]);
    for (const file of ["2_logging.yaml", "2_logging_logs.md"])
      expect(await world.saved(file)).toMatch(/src\/a\.ts:1\n.*src\/a\.ts:5\n/u);
    await writeFile(world.place("2_logging_logs.md"), `${await world.saved("2_logging_logs.md")}a is 1\n`);
    await world.answer("2_logging", { thoughts: '"on the first click"' });
    const short = await world.ok([...lines, "2"]);
    expect({ ...short, duration_ms: 0 }).toEqual({
      thoughts: "on the first click",
      logs: "a is 1\n",
      duration_ms: 0,
    });
    await world.open([...lines, "2", "--again"]);
    const long = `first\n${"x".repeat(79).concat("\n").repeat(13_000)}last\n`;
    await writeFile(world.place("2_logging_logs.md"), `${await world.saved("2_logging_logs.md")}${long}`);
    await world.answer("2_logging", {});
    const answer = await world.ok([...lines, "2"]);
    expect(answer).toMatchObject({
      logs_truncated: true,
      logs_ref: expect.stringMatching(/^sha256:/u) as string,
    });
    expect(answer["logs"]).toBe(long.slice(-40_000));
    const { stdout } = await callHere(
      [...lines, "2"],
      { cwd: world.repository.dir, env: { ...world.env, MAX_LOGS_TOKENS: "2" } },
      envoy,
    );
    expect(JSON.parse(stdout)).toMatchObject({ data: { logs: long.slice(-8), logs_truncated: true } });
    const shown = await world.mettle("show", answer["logs_ref"] as string);
    expect(shown.json["text"]).toBe(long);
  },
);

verifies("ENV-81", "a command can answer a gate too, by the same rules, once", async () => {
  await world.implement("1", worktree);
  await world.open(call);
  const { json } = await world.mettle("status");
  expect(json["gates"]).toMatchObject([
    { gate: "1_testing", branch: "feature/x", file: world.place("1_testing.yaml") },
  ]);
  const before = await world.saved("1_testing.yaml");
  for (const [sets, field] of [
    [["test_passed=maybe"], "test_passed"],
    [["test_passed=true", "user_required_changes=more"], "user_required_changes"],
    [["nonsense=1"], "nonsense"],
  ] as const) {
    const refused = await world.mettle("answer", "1_testing", ...sets.flatMap((set) => ["--set", set]));
    expect([refused.code, refused.json["error"]]).toMatchObject([
      2,
      { code: "invalid_answer", message: expect.stringMatching(new RegExp(`^${field}: `, "u")) as string },
    ]);
  }
  expect(await world.saved("1_testing.yaml")).toBe(before);
  const answers = [
    "--set",
    "test_passed=false",
    "--set",
    "user_required_changes=true = true",
    "--set",
    "logs=x",
  ];
  expect(await world.mettle("answer", "1_testing", ...answers)).toMatchObject({ code: 0 });
  expect(await world.ok(call)).toMatchObject({
    passed: false,
    user_required_changes: "true = true",
    logs: "x",
  });
  const second = await world.mettle("answer", "1_testing", "--set", "test_passed=true");
  expect([second.code, second.json["error"]]).toMatchObject([2, { code: "already_answered" }]);
  const unknown = await world.mettle("answer", "7_testing", "--set", "test_passed=true");
  expect([unknown.code, unknown.json["error"]]).toMatchObject([2, { code: "not_found" }]);
  expect((await world.mettle("status")).json["gates"]).toEqual([]);

  // An answer that is already in the file was first, even if no call has taken it.
  await world.open([...call, "--again"]);
  await world.answer("1_testing", { test_passed: "false", user_required_changes: '"More"' });
  const late = await world.mettle("answer", "1_testing", "--set", "test_passed=true");
  expect([late.code, late.json["error"]]).toMatchObject([2, { code: "already_answered" }]);
  expect(await world.ok(call)).toMatchObject({ passed: false, user_required_changes: "More" });
});
