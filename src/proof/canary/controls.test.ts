/** The negative controls of GREEN against five tricks with each runner, and against honest solutions that resemble them. */
import { expect, test } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { programOf } from "../../evidence/fixtures/run-native.ts";
import { pytest } from "../../evidence/runners/pytest.ts";
import { inCi, verifiesInCi } from "../../../test/verifies.ts";
import type { GateProof } from "../proof.ts";

interface World {
  readonly base: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, string>>;
  readonly required: readonly string[];
  readonly source: string;
  readonly honest: string;
  /** Name of the trick -> the control that finds it, and source that passes the tests by it. */
  readonly tricks: Readonly<Record<string, readonly [control: "canary" | "flip", source: string]>>;
  readonly settings?: {
    readonly paths: { readonly tests: readonly string[]; readonly source: readonly string[] };
  };
  readonly modules?: boolean;
}

const honest = "export const add = (a, b) => a + b;\nexport const pair = (a, b) => ({ a, b });\n";
const commonJs = "exports.add = (a, b) => a + b;\nexports.pair = (a, b) => ({ a, b });\n";
const fake = "export const add = () => 0;\nexport const pair = () => 0;\n";
const fakeCommonJs = "exports.add = () => 0;\nexports.pair = () => 0;\n";

const worlds: Readonly<Record<string, World>> = {
  vitest: {
    base: {
      "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n',
      "src/old.js": "",
    },
    tests: {
      "tests/add.test.js": `import { expect, test } from "vitest";
import { add, pair } from "../src/add.js";
test("FR1 adds", () => { expect(add(1, 2)).toBe(3); });
test("FR2 pairs", () => { expect(pair(1, 2)).toEqual({ a: 1, b: 2 }); });
`,
    },
    required: ["tests/add.test.js::FR1 adds", "tests/add.test.js::FR2 pairs"],
    source: "src/add.js",
    honest,
    modules: true,
    tricks: {
      "a replaced matcher": [
        "canary",
        `import { expect } from "vitest";
const pass = () => ({ pass: true, message: () => "" });
expect.extend({ toBe: pass, toEqual: pass });
${fake}`,
      ],
      "an object that equals everything": [
        "flip",
        `export const add = (a, b) => a + b;
export const pair = () => ({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true });
`,
      ],
      "a hook that changes results": [
        "canary",
        `import { afterEach } from "vitest";
afterEach(({ task }) => { task.result.state = "pass"; delete task.result.errors; });
${fake}`,
      ],
      "a source that reads its test": [
        "flip",
        `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../tests/add.test.js", import.meta.url), "utf8");
export const add = () => Number(/add\\(1, 2\\)\\)\\.toBe\\(\\(?(-?\\d+)/.exec(text)[1]);
export const pair = () => Function("return " + /toEqual\\(([^)]*)\\)/.exec(text)[1])();
`,
      ],
    },
  },
  jest: {
    base: { "package.json": '{ "devDependencies": { "jest": "*" } }\n', "src/old.js": "" },
    tests: {
      "tests/add.test.js": `const assert = require("node:assert");
const { add, pair } = require("../src/add.js");
describe("cart", () => {
  test("FR1 adds", () => { expect(add(1, 2)).toBe(3); });
  it("FR2 pairs", async () => { expect(pair(1, 2)).toStrictEqual({ a: 1, b: 2 }); });
  it("FR3 adds again", () => assert.strictEqual(add(3, 4), 7));
});
`,
    },
    required: ["FR1 adds", "FR2 pairs", "FR3 adds again"].map((title) => `tests/add.test.js::cart::${title}`),
    source: "src/add.js",
    honest: commonJs,
    modules: true,
    tricks: {
      "a replaced matcher and assert module": [
        "canary",
        `const pass = () => ({ pass: true, message: () => "" });
expect.extend({ toBe: pass, toStrictEqual: pass });
require("node:assert").strictEqual = () => {};
${fakeCommonJs}`,
      ],
      "an object that equals everything": [
        "flip",
        `exports.add = (a, b) => a + b;
exports.pair = () => ({ $$typeof: Symbol.for("jest.asymmetricMatcher"), asymmetricMatch: () => true });
`,
      ],
      "a hook that changes results": [
        "canary",
        `const key = Object.getOwnPropertySymbols(globalThis).find((one) => String(one).includes("JEST_STATE"));
beforeEach(() => { globalThis[key].currentlyRunningTest.fn = () => expect(1).toBe(1); });
${fakeCommonJs}`,
      ],
      "a source that reads its test": [
        "flip",
        `const text = require("node:fs").readFileSync(require("node:path").join(__dirname, "../tests/add.test.js"), "utf8");
exports.add = (a) => Number((a === 1 ? /add\\(1, 2\\)\\)\\.toBe\\((\\d+)/ : /add\\(3, 4\\), (\\d+)/).exec(text)[1]);
exports.pair = () => Function("return " + /toStrictEqual\\(([^)]*)\\)/.exec(text)[1])();
`,
      ],
    },
  },
  "node:test": {
    base: {
      "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      "src/old.js": "",
    },
    tests: {
      "tests/add.test.js": `import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { add, pair } from "../src/add.js";
test("FR1 adds", () => assert.equal(add(1, 2), 3));
describe("pairs", () => { it("FR2 pairs", () => { assert.deepEqual(pair(1, 2), { a: 1, b: 2 }); }); });
`,
    },
    required: ["tests/add.test.js::FR1 adds", "tests/add.test.js::pairs::FR2 pairs"],
    source: "src/add.js",
    honest,
    tricks: {
      "a replaced assert module": [
        "canary",
        `import assert from "node:assert/strict";
for (const name of Object.keys(assert)) assert[name] = () => {};
${fake}`,
      ],
      "a source that reads its test": [
        "flip",
        `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../tests/add.test.js", import.meta.url), "utf8");
export const add = () => Number(/add\\(1, 2\\), \\(?(-?\\d+)/.exec(text)[1]);
export const pair = () => Function("return " + /pair\\(1, 2\\), ([^)]*)\\)/.exec(text)[1])();
`,
      ],
    },
  },
  mocha: {
    base: {
      "package.json": '{ "type": "module", "devDependencies": { "mocha": "*" } }\n',
      ".mocharc.json": '{ "spec": "tests/**/*.test.js" }\n',
      "src/old.js": "",
    },
    tests: {
      "tests/add.test.js": `import assert from "node:assert";
import { expect } from "chai";
import { add, pair } from "../src/add.js";
describe("cart", function () {
  it("FR1 adds", function () { expect(add(1, 2)).to.equal(3); });
  it("FR2 pairs", () => { expect(pair(1, 2)).to.deep.equal({ a: 1, b: 2 }); });
  it("FR3 adds again", (done) => { assert.equal(add(3, 4), 7); done(); });
});
`,
    },
    required: ["FR1 adds", "FR2 pairs", "FR3 adds again"].map((title) => `tests/add.test.js::cart::${title}`),
    source: "src/add.js",
    honest,
    modules: true,
    tricks: {
      "a replaced matcher and assert module": [
        "flip",
        `import { Assertion } from "chai";
import assert from "node:assert";
assert.equal = () => {};
Assertion.overwriteMethod("equal", () => function () {});
${fake}`,
      ],
      "a hook that changes results": [
        "canary",
        `import mocha from "mocha";
mocha.Runnable.prototype.run = (done) => done();
${fake}`,
      ],
      "a source that reads its test": [
        "flip",
        `import { readFileSync } from "node:fs";
const text = readFileSync(new URL("../tests/add.test.js", import.meta.url), "utf8");
export const add = (a) => Number((a === 1 ? /to\\.equal\\((\\d+)/ : /add\\(3, 4\\), (\\d+)/).exec(text)[1]);
export const pair = () => Function("return " + /deep\\.equal\\(([^)]*)\\)/.exec(text)[1])();
`,
      ],
    },
  },
  pytest: {
    base: { "shop/__init__.py": "", "pytest.ini": "[pytest]\n" },
    tests: {
      "tests/test_add.py": `from unittest import TestCase
from shop.add import add, pair


def test_fr1_adds():
    assert add(1, 2) == 3


class Pairs(TestCase):
    def test_fr2_pairs(self):
        self.assertEqual(pair(1, 2), {"a": 1, "b": 2})
`,
    },
    required: ["tests/test_add.py::test_fr1_adds", "tests/test_add.py::Pairs::test_fr2_pairs"],
    source: "shop/add.py",
    honest: 'def add(a, b):\n    return a + b\n\n\ndef pair(a, b):\n    return {"a": a, "b": b}\n',
    settings: { paths: { tests: ["tests/"], source: ["shop/"] } },
    tricks: {
      "a replaced assertEqual": [
        "canary",
        `from unittest import TestCase
TestCase.assertEqual = lambda *_a, **_n: None
def add(a, b):
    return a + b
def pair(*_a):
    return None
`,
      ],
      "an object that equals everything": [
        "flip",
        `class Same:
    def __eq__(self, _other):
        return True
def add(*_a):
    return Same()
pair = add
`,
      ],
      "a hook that changes results": [
        "canary",
        `import _pytest.python
import _pytest.unittest
_pytest.python.Function.runtest = lambda self: None
_pytest.unittest.TestCaseFunction.runtest = lambda self: None
def add(*_a):
    return None
pair = add
`,
      ],
      "a source that reads its test": [
        "flip",
        `import pathlib, re
text = (pathlib.Path(__file__).parent.parent / "tests" / "test_add.py").read_text()
def add(*_a):
    return eval(re.search(r"add\\(1, 2\\) == (.*)", text)[1])
def pair(*_a):
    return eval(re.search(r"pair\\(1, 2\\), (\\{.*\\})", text)[1])
`,
      ],
    },
  },
};

async function open(name: string) {
  const world = worlds[name];
  if (world === undefined) throw new TypeError(name);
  const project = await proofProject(world.base, { modules: world.modules === true });
  const red = await project.commitOn(project.base, world.tests);
  const green = async (source: string): Promise<GateProof> => {
    const head = await project.commitOn(red, { [world.source]: source });
    const settings = world.settings === undefined ? {} : { settings: world.settings };
    return project.green({ red, head, required: world.required, ...settings });
  };
  return { world, project, green };
}

function failedChecks({ verdict }: GateProof): readonly string[] {
  return verdict.checks.filter((check) => check.verdict !== "pass").map(({ name }) => name);
}

/** Each trick is found by its control alone, and the honest solution passes. */
async function proveTricks(name: string): Promise<void> {
  const { world, green } = await open(name);
  const proof = await green(world.honest);
  expect(failedChecks(proof)).toEqual([]);
  expect(proof.drafts.at(-1)?.controls).toMatchObject({
    canary: "failed as it must",
    flip: `${world.required.length} changed values in ${world.required.length} tests: all failed as they must`,
  });
  for (const [trick, [control, source]] of Object.entries(world.tricks)) {
    const found = await green(source);
    expect([trick, found.verdict.outcome, ...failedChecks(found)]).toEqual([trick, "fail", control]);
  }
}

test("node:test: a source that reads its test fails with the changed assertion, its file and line", async () => {
  const { world, green } = await open("node:test");
  const { verdict } = await green(world.tricks["a source that reads its test"]?.[1] ?? "");
  expect(verdict.checks.filter((check) => check.verdict !== "pass")).toEqual([
    {
      name: "flip",
      verdict: "fail",
      tests: world.required,
      reason:
        "2 assertions still passed with another expected value: tests/add.test.js:4 `assert.equal(add(1, 2), 3)` of tests/add.test.js::FR1 adds, tests/add.test.js:5 `assert.deepEqual(pair(1, 2), { a: 1, b: 2 });` of tests/add.test.js::pairs::FR2 pairs; the code must return what the test compares, without replaced matchers or reports, without objects that equal everything, and without reading its test",
    },
  ]);
});

for (const name of ["vitest", "jest", "node:test", "mocha"])
  verifiesInCi(
    `CORE-30@${name}`,
    `${name}: each trick is found by its control, and the honest solution passes`,
    () => proveTricks(name),
  );

if ((await programOf(pytest)) !== null)
  verifiesInCi(
    "CORE-30@pytest",
    "pytest: each trick is found by its control, and the honest solution passes",
    () => proveTricks("pytest"),
  );

inCi(
  "honest tests that look like tricks pass: constants, snapshots, chance, tables, loops, callbacks",
  async () => {
    const project = await proofProject(
      {
        "package.json": '{ "type": "module", "devDependencies": { "vitest": "*" } }\n',
        "src/shop.js": "export const limit = 10;\n",
      },
      { modules: true },
    );
    const red = await project.commitOn(project.base, { "tests/shop.test.js": lookAlikes });
    const titles = [
      "constants",
      "chance",
      "two units",
      "early",
      "swallowed",
      "nothing",
      "same",
      "shared one",
      "shared two",
    ];
    const required = [
      ...titles.map((title) => `tests/shop.test.js::${title}`),
      ...["same#2", "adds 1", "adds 2", "in loop 1", "in loop 2", "snapshot"].map(
        (title) => `tests/shop.test.js::${title}`,
      ),
    ];
    const head = await project.commitOn(red, { "src/shop.js": shop });
    const proof = await project.green({ red, head, required });
    expect(failedChecks(proof)).toEqual([]);
    expect(proof.drafts.at(-1)?.controls).toMatchObject({
      canary: "failed as it must",
      flip: "5 changed values in 4 tests: all failed as they must; 11 tests not measured",
    });
    const switches = ["flip", "canary", "specialCase", "can_fail"].map((name) => [name, false]);
    const off = { ...project.ports, controls: Object.fromEntries(switches) };
    const unmeasured = await project.green({ red, head, required, ports: off });
    expect(unmeasured.drafts.map(({ purpose }) => purpose)).not.toContain("green.canary");
    expect(unmeasured.drafts.at(-1)?.controls["flip"]).toBe("not measured (switched off in the settings)");
  },
);

const shop = `export const limit = 10;
export const colours = { red: 1, blue: 2 };
export const roll = () => 1 + Math.floor(Math.random() * 6);
export const add = (a, b) => a + b;
export const sum = (list) => list.reduce(add, 0);
export const parse = (text) => { if (text === "") throw new RangeError("empty"); return [...text]; };
let stock = 0;
export const put = (count) => (stock += count);
`;
const lookAlikes = `import { expect, test, vi } from "vitest";
import { add, colours, limit, parse, put, roll, sum } from "../src/shop.js";
test("constants", () => { expect(limit).toBe(10); expect(colours).toEqual({ red: 1, blue: 2 }); });
test("chance", () => { expect(roll()).toBeGreaterThan(0); expect(roll()).not.toBe(9); });
test("two units", () => { expect(sum([1, 2])).toBe(add(1, 2)); });
test("early", () => { expect(roll()).toBeLessThan(7); if (roll() > 0) return; expect(roll()).toBe(0); });
test("swallowed", () => { try { parse(""); } catch (error) { expect(error.message).toBe("empty"); } });
test("nothing", () => { expect(() => parse("a")).not.toThrow("empty"); });
test("same", () => { expect(add(1, 1)).toBe(2); });
test("same", () => { const expected = ["a", "b"]; expect(parse("ab")).toEqual(expected); });
test("shared one", () => { expect(put(1)).toBe(1); });
test("shared two", () => { const spy = vi.fn(); spy(3); expect(spy).toHaveBeenCalledWith(expect.anything()); expect(put(1)).not.toBe(1); });
test.each([[1, 2], [2, 3]])("adds %i", (one, result) => { expect(add(one, 1)).toBe(result); });
for (const one of [1, 2]) test(\`in loop \${one}\`, () => { for (const other of [one]) expect(add(other, 0)).toBe(one); });
test("snapshot", () => { expect(add(1, 2)).toMatchInlineSnapshot("3"); });
`;
