/** A small project for cycle tests: sums, one function after another. */
import { byHand, type ByHand, type Setting, type Files } from "./by-hand.ts";

export const head = 'import { test } from "node:test";\nimport assert from "node:assert/strict";\n';

/** The test file of the first cycle. */
export function addTest(body: string, title = "Q1 adds", more = "") {
  return {
    "test/add.test.js": `${head}import { add } from "../src/add.js";\n${more}test("${title}", () => {\n  ${body}\n});\n`,
  };
}

export const honest = addTest("assert.equal(add(1, 2), 3);");
export const add: Files = {
  "src/add.js": "export function add(a, b) {\n  if (a === 0) return b;\n  return a + b;\n}\n",
};
export const first = "test/add.test.js::Q1 adds";
export const secondTest = "test/twice.test.js::Q2 doubles";

const old = { "src/old.js": "export const old = 1;\n" };
/** Starts one more process in each of the many test runs. */
const oldTest = {
  "test/old.test.js": `${head}import { old } from "../src/old.js";\ntest("old is one", () => { assert.equal(old, 1); });\n`,
};
const cycles = [
  {
    method: "Sums.add()",
    task: "Add two numbers",
    tests: ["test/add.test.js"],
    criteria: [{ id: "Q1", text: "1 and 2 are 3" }],
    files: ["src/add.js"],
  },
  {
    method: "Sums.twice()",
    task: "Double a number",
    tests: ["test/twice.test.js"],
    criteria: [{ id: "Q2", text: "2 gives 4" }],
    files: ["src/twice.js"],
  },
];

/** Up to the first test of the first cycle. */
export function sums(protocol = "dptr"): Promise<ByHand> {
  return byHand({ protocol, files: { ...old }, cycles });
}

/** The same, in a project that has a test already. */
export function sumsWithTest(): Promise<ByHand> {
  return byHand({ files: { ...old, ...oldTest }, cycles });
}

/** The same, in a project that sets up a lint tool. */
export function sumsWithLint(install: Setting["install"]): Promise<ByHand> {
  const rules = { "no-debugger": "error", "no-unused-vars": "warn" };
  return byHand({
    files: { ...old, ".oxlintrc.json": `${JSON.stringify({ rules })}\n` },
    cycles,
    ...(install === undefined ? {} : { install }),
  });
}

/** The same, with a plan that names no source file. */
export function sumsWithoutFiles(): Promise<ByHand> {
  return byHand({ files: { ...old }, cycles: cycles.map((cycle) => ({ ...cycle, files: [] })) });
}

/** The same, with the tests of both cycles in one file. */
export function sumsInOneFile(): Promise<ByHand> {
  const tests = ["test/add.test.js"];
  return byHand({ files: { ...old }, cycles: cycles.map((cycle) => ({ ...cycle, tests })) });
}

/** Up to QA's refactoring of the first cycle. */
export async function greenSums(tests: Files = honest, world = sums()): Promise<ByHand> {
  const hand = await world;
  await hand.work("red", "RC", tests);
  await hand.gate();
  await hand.work("green", "GC", add);
  await hand.gate();
  return hand;
}
