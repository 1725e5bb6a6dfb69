import { afterAll, expect, test } from "vitest";
import { byHand, failing, rowsOf, type ByHand, type Files } from "./by-hand.ts";

const open: ByHand[] = [];
afterAll(() => Promise.all(open.map((hand) => hand.remove())));

const cycle = {
  method: "Sums.add()",
  task: "Add two numbers",
  tests: ["test/add.test.js"],
  criteria: [{ id: "Q1", text: "1 and 2 are 3" }],
  files: ["src/add.js"],
};
const next = {
  method: "Sums.twice()",
  task: "Double a number",
  tests: ["test/twice.test.js"],
  criteria: [{ id: "Q2", text: "2 gives 4" }],
  files: ["src/twice.js"],
};

const head = 'import { test } from "node:test";\nimport assert from "node:assert/strict";\n';
const addTest = (body: string, title = "Q1 adds"): Files => ({
  "test/add.test.js": `${head}import { add } from "../src/add.js";\ntest("${title}", () => { ${body} });\n`,
});
const old = {
  "src/old.js": "export const old = 1;\n",
  "test/old.test.js": `${head}import { old } from "../src/old.js";\ntest("old is one", () => { assert.equal(old, 1); });\n`,
};
const honest = addTest("assert.equal(add(1, 2), 3);");
const add: Files = {
  "src/add.js": "export function add(a, b) {\n  if (a === 0) return b;\n  return a + b;\n}\n",
};

async function start(): Promise<ByHand> {
  const hand = await byHand({ files: { ...old }, cycles: [cycle, next] });
  open.push(hand);
  return hand;
}

test("an honest cycle passes all six gates, and the next one begins where it ended", async () => {
  const hand = await start();
  const { session } = hand.context;
  expect(hand.state()).toBe("red");
  const red = await hand.work("red", "RC", honest);
  const reds = await hand.gate();
  expect(failing(reds)).toEqual([]);
  expect(rowsOf(reds)).toEqual([
    "pass Tests written",
    "pass Tests failing",
    "pass Test quality meets standards",
  ]);
  expect(session.view.frozen).toMatchObject({ commit: red, required: ["test/add.test.js::Q1 adds"] });

  await hand.work("green", "GC", add);
  const greens = await hand.gate();
  expect(rowsOf(greens)).toEqual([
    "pass Tests passing",
    "review Minimal implementation",
    "pass No test modifications",
  ]);
  expect(greens.rows?.[1]?.numbers).toMatchObject({
    lines_before: 0,
    lines_after: 4,
    branches_after: 1,
  });
  expect(greens.rows?.map(({ record }) => record)).toEqual(
    [1, 2, 3].map(() => session.view.records.at(-1)?.id),
  );

  const better = addTest("assert.equal(add(1, 2), 3);\n  assert.equal(add(0, 2), 2);");
  const tests = await hand.work("test_refactor", "RTC", better);
  expect(failing(await hand.gate())).toEqual([]);
  expect(session.view.frozen).toMatchObject({ commit: tests, required: ["test/add.test.js::Q1 adds"] });
  expect(session.view.head.branch).toBe(tests);

  const source = await hand.work("impl_refactor", "RIC", {
    "src/add.js": "export function add(left, right) {\n  return left + right;\n}\n",
  });
  expect(failing(await hand.gate())).toEqual([]);
  expect(session.view.head.branch).toBe(source);
  await hand.say("APPROVED");
  await hand.say("APPROVED");
  expect(hand.state()).toBe("integration_test");
  expect(await hand.gate()).toMatchObject({ verdict: "pass" });
  const suite = session.view.records.at(-1)?.id;

  expect(hand.state()).toBe("interface_check");
  const end = await hand.gate();
  expect(rowsOf(end).filter((row) => !row.startsWith("pass"))).toEqual([]);
  expect(end.rows?.[4]).toMatchObject({
    numbers: { lines_before: 4, lines_after: 3, branches_before: 1, branches_after: 0 },
    reviews: [{ reviewer: "QA", status: "APPROVED" }],
  });
  expect(session.view.cyclesDone).toMatchObject([
    { cycle: 1, commit: source, required: ["test/add.test.js::Q1 adds"], record: suite },
  ]);

  // The second cycle: an earlier test is required too.
  expect(hand.state()).toBe("red");
  await hand.work("red", "RC", {
    "test/twice.test.js": `${head}import { twice } from "../src/twice.js";\ntest("Q2 doubles", () => { assert.equal(twice(2), 4); });\n`,
  });
  expect(failing(await hand.gate())).toEqual([]);
  expect(session.view.frozen?.required).toEqual([
    "test/add.test.js::Q1 adds",
    "test/twice.test.js::Q2 doubles",
  ]);
  await hand.work("green", "GC", {
    "src/twice.js": "export const twice = (n) => n * 2;\n",
    "src/add.js": "export const add = () => 0;\n",
  });
  const broken = await hand.gate();
  expect(broken.outcome).toBe("fail.tests");
}, 120_000);
