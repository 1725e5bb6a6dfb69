import { beforeAll, expect } from "vitest";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { proofProject, rules, type ProofProject } from "../../../test/proof-project.ts";
import { inCi, verifies, verifiesInCi } from "../../../test/verifies.ts";
import { proveRefactor } from "./refactor-proof.ts";

type Files = Readonly<Record<string, string | null>>;

const imports =
  'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { total } from "../src/cart.js";\n';
const adds = 'test("adds", () => assert.equal(total([2, 3]), 5));\n';
const isEmpty = 'test("is empty", () => {\n  assert.equal(total([]), 0);\n});\n';
const path = "tests/cart.test.js";
const simpler: Files = {
  "src/cart.js": "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n",
};
const named: Files = {
  [path]: `${imports}${adds}test("is empty", () => {\n  const none = [];\n  assert.equal(total(none), 0);\n});\n`,
};

let project: ProofProject;
beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module" }\n',
    "src/cart.js":
      "export function total(prices) {\n  let sum = 0;\n  for (const price of prices) sum += price;\n  return sum;\n}\n",
    [path]: `${imports}${adds}${isEmpty}`,
  });
});

/** Judges a branch of these commits. */
async function judged(commits: readonly Files[], accepted: readonly string[] = []) {
  let head = project.base;
  for (const files of commits) head = await project.commitOn(head, files);
  const { ports, base } = project;
  const cache = { get: async () => null, put: async () => undefined };
  const settings = { runner: "node:test", paths: rules };
  return proveRefactor({ ports, cache, settings, base, head, accepted });
}

verifies("CORE-33", "a refactoring of tests and then of source passes, and judges both ways", async () => {
  const { verdict, required } = await judged([named, simpler]);
  expect(failedChecks(verdict)).toEqual([]);
  expect(required).toEqual([`${path}::adds`, `${path}::is empty`]);
  expect(verdict.checks.map(({ name }) => name)).toEqual([
    "commit",
    "required",
    "regressions",
    "apart",
    "interface",
    "weakened",
    "old_text",
    "new_tests",
  ]);
});

const wider: Files = { "src/cart.js": `${simpler["src/cart.js"]}export const extra = 1;\n` };
const refused: Readonly<Record<string, readonly [readonly Files[], RegExp]>> = {
  "a weakened test": [
    [{ [path]: `${imports}test("adds", () => assert.ok(total([2, 3])));\n${isEmpty}` }, simpler],
    /^fail weakened: .*tests\/cart\.test\.js/u,
  ],
  "a dropped id": [
    [{ [path]: `${imports}${adds}` }],
    /^fail required: .*not in the report: tests\/cart\.test\.js::is empty/u,
  ],
  "a changed export": [
    [wider],
    /^fail interface: a refactoring must keep the public interface; restore: src\/cart\.js has extra.*; or let a person accept it: .* --accept-export src\/cart\.js::extra$/u,
  ],
  "tests and source in one commit": [[{ ...named, ...simpler }], /^fail apart: .*tests\/cart\.test\.js/u],
  "source that only the old tests find broken": [
    [
      { [path]: `${imports}${adds}test("is empty", () => assert.equal(total([0]), 0));\n` },
      {
        "src/cart.js":
          "export const total = (prices) => (prices.length === 0 ? -1 : prices.reduce((a, b) => a + b, 0));\n",
      },
    ],
    /^fail old_text: .*tests\/cart\.test\.js::is empty/u,
  ],
  "new tests that the old source does not pass": [
    [
      { [path]: `${imports}${adds}${isEmpty}test("counts", () => assert.equal(total(null), 0));\n` },
      {
        "src/cart.js":
          "export const total = (prices) => (prices ?? []).reduce((sum, price) => sum + price, 0);\n",
      },
    ],
    /^fail new_tests: .*tests\/cart\.test\.js::counts; a test of new behaviour belongs to RED$/u,
  ],
};

for (const [fault, [commits, reason]] of Object.entries(refused))
  verifiesInCi("CORE-33", `the gate of refactorings refuses ${fault}`, async () => {
    const { verdict } = await judged(commits);
    expect(verdict.verdict).toBe("fail");
    expect(failedChecks(verdict)).toContainEqual(expect.stringMatching(reason));
  });

verifiesInCi("CORE-33", "a refactoring of source alone, and of tests alone, passes", async () => {
  for (const commits of [[simpler], [named]])
    expect(failedChecks((await judged(commits)).verdict)).toEqual([]);
});

inCi("a person can accept a changed export, and the answer still names it", async () => {
  const { verdict } = await judged([wider], ["src/cart.js::extra"]);
  expect(failedChecks(verdict)).toEqual([]);
  expect(verdict.findings).toContainEqual({
    code: "interface_changed",
    severity: "finding",
    message: "a person accepted a change of the public interface: src/cart.js has extra",
    path: "src/cart.js",
  });
});

inCi("a person can accept that a test is removed, and the answer still names it", async () => {
  const removed = { [path]: `${imports}${adds}` };
  expect(failedChecks((await judged([removed])).verdict)).toEqual([
    expect.stringContaining(`not in the report: ${path}::is empty`),
  ]);
  const { verdict, required } = await judged([removed], [`${path}::is empty`]);
  expect(failedChecks(verdict)).toEqual([]);
  expect(required).toEqual([`${path}::adds`]);
  expect(verdict.findings.map(({ message }) => message)).toContain(
    `a person accepted that this test is not required: ${path}::is empty`,
  );
});
