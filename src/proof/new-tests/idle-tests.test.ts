/** Tests whose assertions never run on the finished code, with each runner that does not count assertions itself. */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../../test/verifies.ts";
import { fileOfTest } from "../../evidence/test-ids.ts";

const weak = `test("FR1 loops over the answer", () => { for (const x of f(0)) { assert.equal(x, 1); } });
test("FR2 asks first", () => { if (f(0).length > 0) assert.equal(f(0)[0], 1); });
test("FR3 calls back", () => { f(0).forEach((x) => assert.equal(x, 1)); });
`;
const honest = `test("FR4 loops over the answer", () => { for (const x of f(2)) { assert.equal(x, 1); } });
test("FR5 asks first", () => {
  const found = f(2)
  if (found.length > 0)
    assert.equal(found[0], 1)
  else assert.fail("nothing")
});
test("FR6 calls back", () => { f(2).forEach((x) => assert.equal(x, 1)); });
test("FR7 waits", async () => { await Promise.all(f(2).map(async (x) => { await null; assert.equal(x, 1); })); });
test("FR8 compares", () => { for (const x of f(0)) { assert.equal(x, 1); } assert.deepEqual(f(0), []); });
`;
const inPytest = (self: string) => `def test_fr1_loops(${self}):
    for x in f(0):
        assert x == 1

def test_fr2_asks(${self}):
    if f(0):
        assert f(0)[0] == 1

def test_fr4_loops(${self}):
    for x in f(2):
        assert x == 1

def test_fr8_compares(${self}):
    for x in f(0):
        assert x == 1
    assert f(0) == []
`;
const inUnittest = `import unittest
from shop.f import f

class TestUnit(unittest.TestCase):
${inPytest("self")
  .replaceAll(/assert (.*) == (.*)/g, "self.assertEqual($1, $2)")
  .replaceAll(/^(?=.)/gm, "    ")}`;

interface World {
  readonly base: Readonly<Record<string, string>>;
  readonly test: readonly [path: string, text: string];
  readonly unit: readonly [path: string, text: string];
  /** Lines of the refused tests. */
  readonly lines: readonly number[];
}

const commonJs = "exports.f = (n) => Array(n).fill(1);\n";
const python = { "shop/__init__.py": "", "tests/__init__.py": "" };
const answer = "def f(n):\n    return [1] * n\n";
const worlds: Readonly<Record<string, World>> = {
  "node:test": {
    base: { "package.json": '{ "type": "module" }\n' },
    test: [
      "tests/f.test.js",
      `import test from "node:test";\nimport assert from "node:assert/strict";\nimport { f } from "../src/f.js";\n${weak}${honest}`,
    ],
    unit: ["src/f.js", "export const f = (n) => Array(n).fill(1);\n"],
    lines: [4, 5, 6],
  },
  mocha: {
    base: { "package.json": '{ "devDependencies": { "mocha": "*" } }\n' },
    test: [
      "tests/f.test.js",
      `const assert = require("node:assert");\nconst test = it;\nconst { f } = require("../src/f.js");\n${weak}${honest}`,
    ],
    unit: ["src/f.js", commonJs],
    lines: [4, 5, 6],
  },
  pytest: {
    base: python,
    test: ["tests/test_f.py", `from shop.f import f\n\n${inPytest("")}`],
    unit: ["shop/f.py", answer],
    lines: [5, 9],
  },
  unittest: {
    base: python,
    test: ["tests/test_f.py", inUnittest],
    unit: ["shop/f.py", answer],
    lines: [7, 11],
  },
};

for (const [runner, { base, test, unit, lines }] of Object.entries(worlds)) {
  const cite = runner === "node:test" ? verifies : verifiesInCi;
  cite(
    "PRV-18",
    `GREEN with ${runner} refuses a test of which no assertion runs, by test and line`,
    async () => {
      const project = await proofProject(base, { modules: runner === "mocha" });
      const settings = { runner, paths: { tests: ["tests/"], source: ["src/", "shop/"] } };
      const red = await project.commitOn(project.base, { [test[0]]: test[1] });
      const { required } = await project.red(red, { planned: [unit[0]], settings });
      const head = await project.commitOn(red, { [unit[0]]: unit[1] });
      const { verdict } = await project.green({ red, head, required, settings });
      const wrong = verdict.checks.filter((check) => check.verdict !== "pass");
      expect(wrong.map(({ name, tests }) => [name, tests.length, tests.map(fileOfTest)[0]])).toEqual([
        ["can_fail", lines.length, test[0]],
      ]);
      const found = [...(wrong[0]?.reason ?? "").matchAll(/tests\/[\w.]+:(\d+) /g)];
      expect(found.map(([, line]) => Number(line))).toEqual(lines);
    },
  );
}
