/** New tests on units that do no work, with each runner whose tests can be copied. */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { inCi, verifies } from "../../../test/verifies.ts";
import type { RedProof, RedRequest } from "../red-proof.ts";

const nodeTest = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const base = {
  "package.json": '{ "type": "module" }\n',
  "src/cart.js":
    "export const total = (items) => items.length;\nexport function check(n) { if (n < 0) throw new RangeError('negative'); return n; }\n",
};
const tests = `${nodeTest}import { total, check } from "../src/cart.js";
import { add } from "../src/add.js";
test("adds", () => assert.equal(add(1, 2), 3));
test("gives a number back", () => assert.equal(add(4), 4));
test("gives nothing for nothing", () => assert.equal(add(), undefined));
test("refuses words", () => assert.throws(() => add("x")));
// passes already: counting was right
test("counts", () => assert.equal(total([7, 7]), 2));
// passes already: it is true
test("is true", () => assert.equal(true, true));
`;

function failedChecks({ verdict }: RedProof): readonly string[] {
  return verdict.checks
    .filter(({ name, verdict: is }) => is !== "pass" && name !== "can_fail")
    .map(({ name, tests: ids }) => `${name}: ${ids.map((id) => id.split("::").at(-1)).join(", ")}`);
}

function findings({ verdict }: RedProof): readonly string[] {
  return verdict.findings
    .filter(({ code }) => code.startsWith("null_stub") || code === "passes_already")
    .map(({ code, message }) => `${code}: ${message.replaceAll(/tests\/\w+\.test\.js::/g, "")}`);
}

verifies(
  "CORE-26",
  "a test that passes on every null stub is refused unless a person accepts it; one that passes on some is a finding",
  async () => {
    const project = await proofProject(base);
    const head = await project.commitOn(project.base, { "tests/add.test.js": tests });
    const red = (more: Partial<RedRequest> = {}) => project.red(head, { planned: ["src/add.js"], ...more });

    const refused = await red();
    expect(failedChecks(refused)).toEqual(["tautology: is true"]);
    const check = refused.verdict.checks.find(({ name }) => name === "tautology");
    expect([check?.acceptable, check?.reason]).toEqual([
      true,
      "1 test passes on units that return nothing, return their argument, and throw, so nothing the code does can fail it: tests/add.test.js::is true; compare what the unit returns with the expected value; a person can accept it: mettle resume RUN --accept-test ID",
    ]);
    expect(findings(refused)).toEqual([
      "passes_already: passes before implementation, so it does not test it: refuses words: it expects an error, and the stub of the missing unit throws one",
      "passes_already: passes before implementation, so it does not test it: counts: counting was right",
      "passes_already: passes before implementation, so it does not test it: is true: it is true",
      "null_stub: passes on a unit that returns its first argument: gives a number back",
      "null_stub: passes on a unit that returns nothing, and on one that returns its first argument: gives nothing for nothing",
      "null_stub: passes on a unit that throws: refuses words",
    ]);
    expect(refused.drafts.at(-1)?.controls).toMatchObject({
      null_stubs: "6 tests on 3 null stubs: 1 on all, 3 on some",
    });

    const accepted = await red({ accepted: ["tests/add.test.js::is true"] });
    expect(failedChecks(accepted)).toEqual([]);
    expect(accepted.drafts.at(-1)?.controls["accepted_passing"]).toBe("tests/add.test.js::is true");

    const off = await red({ ports: { ...project.ports, controls: { null_stubs: false } } });
    expect(failedChecks(off)).toEqual(["fails: refuses words"]);
    expect(off.drafts.at(-1)?.controls).toMatchObject({
      null_stubs: "not measured (switched off in the settings)",
    });
  },
);

const pythonTests = `from cart import Cart, total
from add import add

def test_adds():
    assert add(1, 2) == 3

def test_gives_a_number_back():
    assert add(4) == 4

def test_refuses_words():
    with pytest.raises(Exception):
        add("x")

# passes already: counting was right
def test_counts():
    assert total([7, 7]) == 2 and Cart([7]).size() == 1

# passes already: it is true
def test_is_true():
    assert 1 == 1
`;
const python = {
  "cart.py":
    "def total(items):\n    return len(items)\n\nclass Cart:\n    def __init__(self, items):\n        self.items = items\n    def size(self):\n        return len(self.items)\n",
};
const inUnittest = `import unittest
from cart import Cart, total
from add import add

class TestAdd(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)

    def test_gives_a_number_back(self):
        self.assertEqual(add(4), 4)

    def test_refuses_words(self):
        with self.assertRaises(Exception):
            add("x")

    # passes already: counting was right
    def test_counts(self):
        self.assertEqual([total([7, 7]), Cart([7]).size()], [2, 1])

    # passes already: it is true
    def test_is_true(self):
        self.assertEqual(1, 1)
`;
const inScript = (head: string) => `${head}
test("adds", () => { expect(add(1, 2)).toBe(3); });
test("gives a number back", async () => { expect(add(4)).toBe(4); });
test("refuses words", () => { expect(() => add("x")).toThrow(); });
// passes already: counting was right
test("counts", () => { expect([total([7, 7]), new Cart([7]).size()]).toEqual([2, 1]); });
// passes already: it is true
test("is true", () => { expect(true).toBe(true); });
`;
const cart =
  "const total = (items) => items.length;\nclass Cart { #items; constructor(items) { this.#items = items; } size() { return this.#items.length; } }\n";
const exported = `${cart}export { total, Cart };\n`;
const chai = `const assert = require("node:assert"); const test = it;
const expect = (one) => ({ toBe: (other) => assert.strictEqual(one, other), toEqual: (other) => assert.deepEqual(one, other), toThrow: () => assert.throws(one) });`;
const worlds: Readonly<
  Record<string, readonly [Record<string, string>, file: string, text: string, unit: string]>
> = {
  vitest: [
    {
      "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n',
      "src/cart.ts": exported
        .replace("(items) =>", "(items: number[]) =>")
        .replace("#items;", "#items: number[];")
        .replace("constructor(items)", "constructor(items: number[])"),
    },
    "tests/add.test.ts",
    inScript(
      'import { expect, test } from "vitest";\nimport { total, Cart } from "../src/cart.ts";\nimport { add } from "../src/add.ts";',
    ),
    "src/add.ts",
  ],
  jest: [
    {
      "package.json": '{ "devDependencies": { "jest": "*" } }\n',
      "src/cart.js": `${cart}module.exports = { total, Cart };\n`,
    },
    "tests/add.test.js",
    inScript('const { total, Cart } = require("../src/cart.js");\nconst { add } = require("../src/add.js");'),
    "src/add.js",
  ],
  mocha: [
    {
      "package.json": '{ "devDependencies": { "mocha": "*" } }\n',
      "src/cart.js": `${cart}module.exports = { total, Cart };\n`,
    },
    "tests/add.test.js",
    inScript(
      `const { total, Cart } = require("../src/cart.js");\nconst { add } = require("../src/add.js");\n${chai}`,
    ),
    "src/add.js",
  ],
  pytest: [
    { ...python, "pytest.ini": "[pytest]\npythonpath = .\n" },
    "tests/test_add.py",
    `import pytest\n${pythonTests}`,
    "add.py",
  ],
  unittest: [{ ...python, "tests/__init__.py": "" }, "tests/test_add.py", inUnittest, "add.py"],
};

for (const [runner, [files, file, text, unit]] of Object.entries(worlds))
  inCi(`null stubs answer copies of the tests with ${runner} (CORE-26)`, async () => {
    const project = await proofProject(files, { modules: !["pytest", "unittest"].includes(runner) });
    const settings = { runner, paths: { tests: ["tests/"], source: file.endsWith(".py") ? [""] : ["src/"] } };
    const proof = await project.red(await project.commitOn(project.base, { [file]: text }), {
      planned: [unit],
      settings,
    });
    const plain = (words: string) => words.replaceAll("_", " ");
    expect(failedChecks(proof).map(plain)).toEqual([expect.stringMatching(/^tautology: .*is.true$/)]);
    expect(proof.drafts.at(-1)?.controls).toMatchObject({
      null_stubs: "5 tests on 3 null stubs: 1 on all, 2 on some",
    });
  });

inCi("a test that waits for ever on a null stub is not measured, and repeated alone", async () => {
  const project = await proofProject(base);
  const head = await project.commitOn(project.base, {
    "tests/add.test.js": `${nodeTest}import { next } from "../src/add.js";
test("ends", () => {
  let count = 0;
  while (next() !== null) count++;
  assert.equal(count, 2);
});
`,
  });
  const proof = await project.red(head, { planned: ["src/add.js"] });
  expect(failedChecks(proof)).toEqual([]);
  expect(findings(proof)).toEqual([
    "null_stubs: null stubs: not measured (their run gave no report in time)",
  ]);
  expect(proof.drafts.map(({ purpose, timedOut }) => `${purpose} ${timedOut}`)).toEqual([
    "red.tests false",
    "red.repeat true",
    "red.repeat false",
    "red false",
  ]);
});
