/** The findings gate: a person reads the proposed approaches. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";
import { verifies } from "../verifies.ts";
import { createGateWorld, type GateWorld } from "./gate-world.ts";

let world: GateWorld;
beforeAll(async () => void (world = await createGateWorld()));
beforeEach(() => world.reset());

const gate = ["plan", "block-findings-gate"];
const approach = (specialist: string, number: string, ...more: readonly string[]) =>
  world.ok([
    "plan",
    "write-approach",
    specialist,
    number,
    "--description",
    `${specialist} ${number}`,
    "--context",
    "x",
    "--files",
    "src/a.ts",
    ...more,
  ]);
const get = (...words: readonly string[]) => world.ok(["plan", "get-finding-approach", ...words]);
const path = (name: string, field: string) => `approach_feedback.${name}.${field}`;

verifies("ENV-83", "required changes, answers and rejections are saved in the approaches", async () => {
  expect(await world.ok(gate)).toEqual({ skipped: true, reason: expect.any(String) as string });
  await approach("frontend", "1", "--variant", "A", "--questions", "Which colour?|Which size?");
  await approach("frontend", "1", "--variant", "B");
  await approach("frontend", "1", "--variant", "C");
  await approach("backend_1", "2");
  await world.open(gate);
  const file = await world.saved("findings_gate.yaml");
  expect(file).toContain('      - question: Which colour?\n        answer: ""\n');
  expect(file).toContain("  backend_1_2:\n");
  expect(file.match(/rejected: false/gu)).toHaveLength(3);
  await world.answer("findings_gate", {
    [path("backend_1_2", "user_required_changes")]: '"Use the queue"',
    [path("frontend_1_A", "question_answers.answer")]: '"Blue"',
    [path("frontend_1_B", "rejected")]: "true",
    thoughts: '"Nice"',
  });
  const answer = await world.ok(gate);
  expect(answer).toEqual({
    thoughts: "Nice",
    affected_approaches: [
      { specialist_name: "backend_1", approach_id: "2" },
      { specialist_name: "frontend", approach_id: "1_A" },
    ],
    rejected_approaches: [{ specialist_name: "frontend", approach_id: "1_B" }],
    duration_ms: expect.any(Number) as number,
  });
  expect(await get("backend_1", "2")).toMatchObject({ pending_refinement: "Use the queue" });
  const first = await get("frontend", "1", "A");
  expect(first).not.toHaveProperty("pending_refinement");
  expect(first["user_addressed_questions"]).toEqual([{ question: "Which colour?", answer: "Blue" }]);
  expect(await world.refused(["plan", "get-finding-approach", "frontend", "1", "B"])).toMatchObject({
    type: "not_found",
  });
  // The same call returns the same answer; a revised approach opens the gate again.
  expect({ ...(await world.ok(gate)), duration_ms: 0 }).toEqual({ ...answer, duration_ms: 0 });
  expect(await world.userInput()).toContain("### backend_1_2\n\nUse the queue\n");
  await approach("backend_1", "2", "--questions", "Sure?");
  await world.open(gate);
});

verifies(
  "ENV-95",
  "only variants can be rejected, never all of a number, and rejected ones are archived",
  async () => {
    await approach("frontend", "1", "--variant", "A");
    await approach("frontend", "1", "--variant", "B");
    await approach("frontend", "2");
    await world.open(gate);
    await world.answer("findings_gate", {
      [path("frontend_1_A", "rejected")]: "true",
      [path("frontend_1_B", "rejected")]: "true",
    });
    const all = await world.saved("findings_gate.yaml");
    expect(await world.refused([...gate, "--wait", "0.6"])).toMatchObject({ code: 3 });
    expect(await world.saved("findings_gate.yaml.error")).toContain("all_variants_rejected: ");
    expect(await world.saved("findings_gate.yaml")).toBe(all);
    const alone = await world.mettle(
      "answer",
      "findings_gate",
      "--set",
      `${path("frontend_2", "rejected")}=true`,
    );
    expect([alone.code, alone.json["error"]]).toMatchObject([2, { code: "invalid_answer" }]);
    await world.answer("findings_gate", {
      [path("frontend_1_A", "rejected")]: "false",
      [path("frontend_1_A", "user_required_changes")]: '"Smaller"',
    });
    expect(await world.ok(gate)).toMatchObject({
      affected_approaches: [{ specialist_name: "frontend", approach_id: "1" }],
      rejected_approaches: [{ specialist_name: "frontend", approach_id: "1_B" }],
    });
    expect(await get("frontend", "1")).toMatchObject({ variant: null, pending_refinement: "Smaller" });
    const [kept = ""] = await readdir(join(world.dir, "findings", "_archive"));
    expect(kept).toMatch(/^frontend_1_B_/u);
    expect(await world.read(`findings/_archive/${kept}`)).toContain("approach_detail: x");
    expect(existsSync(world.place("findings_gate.yaml"))).toBe(false);
  },
);
