/** Eight tests that cannot fail, and honest tests that resemble them, with each runner. */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../../test/verifies.ts";
import type { Check } from "../../gates/verdict.ts";

interface World {
  readonly base: Readonly<Record<string, string>>;
  readonly file: string;
  readonly head: string;
  readonly unit: string;
  /** How a test compares: `expect(…)` or `assert`. */
  readonly style: keyof typeof weak;
}

const weak = {
  expect: `test("FR1 ends early", () => { return; expect(f(1)).toBe(2); });
test("FR2 catches", () => { try { expect(f(1)).toBe(2); } catch {} });
test("FR3 forgets", () => { expect(g(1)).resolves.toBe(2); });
test("FR4 loops", () => { for (const x of []) { expect(f(x)).toBe(2); } });
test("FR5 compares itself", () => { const x = f(1); expect(x).toBe(x); });
test("FR6 compares answers", () => { expect(f(1)).toBe(f(1)); });
test("FR7 has a type", () => { expect(typeof f(1)).toBe("number"); });
test("FR8 is defined", () => { expect(f(1)).toBeDefined(); });
`,
  assert: `test("FR1 ends early", () => { return; assert.equal(f(1), 2); });
test("FR2 catches", () => { try { assert.equal(f(1), 2); } catch {} });
test("FR3 forgets", () => { assert.rejects(g(1), /no/); });
test("FR4 loops", () => { for (const x of []) { assert.equal(f(x), 2); } });
test("FR5 compares itself", () => { const x = f(1); assert.equal(x, x); });
test("FR6 compares answers", () => { assert.deepEqual(f(1), f(1)); });
test("FR7 has a type", () => { assert.equal(typeof f(1), "number"); });
test("FR8 is defined", () => { assert.notEqual(f(1), undefined); });
`,
  pytest: `def test_fr1_ends_early():
    return
    assert f(1) == 2

def test_fr2_catches():
    try:
        assert f(1) == 2
    except AssertionError:
        pass

def test_fr3_suppresses():
    with suppress(AssertionError):
        assert f(1) == 2

def test_fr4_loops():
    for x in []:
        assert f(x) == 2

def test_fr5_compares_itself():
    x = f(1)
    assert x == x

def test_fr6_compares_answers():
    assert f(1) == f(1)

def test_fr7_has_a_type():
    assert isinstance(f(1), int)

def test_fr8_is_defined():
    assert f(1) is not None
`,
} as const;

const honest = {
  expect: `test("FR1 is two", () => { expect(f(1)).toBe(2); });
test("FR2 rethrows", () => { try { expect(f(1)).toBe(2); } catch (e) { throw new Error("FR2", { cause: e }); } });
test("FR3 waits", async () => { await expect(g(1)).resolves.toBe(2); });
test("FR4 loops", () => { for (const x of [1]) { expect(f(x)).toBe(2); } });
test("FR5 compares two", () => { const x = f(1); expect(x).toBe(f(1) === 2 ? 2 : 3); });
test("FR6 has a type and a value", () => { expect(typeof f(1)).toBe("number"); expect(f(1)).toBe(2); });
test("FR7 is defined for a word", () => { expect(f("x")).toBeDefined(); expect(f("x")).not.toBe(f(1)); });
`,
  assert: `test("FR1 is two", () => { assert.equal(f(1), 2); });
test("FR2 rethrows", () => { try { assert.equal(f(1), 2); } catch (e) { throw new Error("FR2", { cause: e }); } });
test("FR3 waits", async () => { await assert.rejects(g(-1), /no/); });
test("FR4 loops", () => { for (const x of [1]) { assert.equal(f(x), 2); } });
test("FR6 has a type and a value", () => { assert.equal(typeof f(1), "number"); assert.equal(f(1), 2); });
`,
  pytest: `def test_fr1_is_two():
    assert f(1) == 2

def test_fr2_raises_again():
    try:
        assert f(1) == 2
    except AssertionError as error:
        raise ValueError("FR2") from error

def test_fr4_loops():
    for x in [1]:
        assert f(x) == 2

def test_fr5_is_equal():
    assert Cart(1) == Cart(1)

def test_fr7_has_a_type_and_a_value():
    assert isinstance(f(1), int) and f(1) == 2
`,
} as const;

/** The same tests as methods of a class. */
function inClass(text: string): string {
  const methods = text
    .replaceAll("():", "(self):")
    .replaceAll(
      /assert isinstance\((.*), int\) and f\(1\) == 2/g,
      "self.assertEqual((type($1), f(1)), (int, 2))",
    )
    .replaceAll(/assert isinstance\((.*), int\)/g, "self.assertIsInstance($1, int)")
    .replaceAll(/assert (.*) is not None/g, "self.assertIsNotNone($1)")
    .replaceAll(/assert (.*) == (.*)/g, "self.assertEqual($1, $2)")
    .split("\n")
    .map((line) => (line === "" ? "" : `    ${line}`));
  return `import unittest\n\nclass TestUnit(unittest.TestCase):\n${methods.join("\n")}`;
}

const javascript = (devDependency: string | null, type: string) => ({
  "package.json": JSON.stringify({
    type,
    ...(devDependency === null ? {} : { devDependencies: { [devDependency]: "*" } }),
  }),
  "src/old.js": "",
});
const python = { "shop/__init__.py": "", "tests/__init__.py": "" };
const required = 'const { f, g } = require("../src/f.js");\n';
const worlds: Readonly<Record<string, World>> = {
  "node:test": {
    base: javascript(null, "module"),
    file: "tests/f.test.js",
    head: 'import test from "node:test";\nimport assert from "node:assert/strict";\nimport { f, g } from "../src/f.js";\n',
    unit: "src/f.js",
    style: "assert",
  },
  vitest: {
    base: javascript("vitest", "module"),
    file: "tests/f.test.ts",
    head: 'import { expect, test } from "vitest";\nimport { f, g } from "../src/f.ts";\n',
    unit: "src/f.ts",
    style: "expect",
  },
  jest: {
    base: javascript("jest", "commonjs"),
    file: "tests/f.test.js",
    head: required,
    unit: "src/f.js",
    style: "expect",
  },
  mocha: {
    base: javascript("mocha", "commonjs"),
    file: "tests/f.test.js",
    head: `const assert = require("node:assert");\nconst test = it;\n${required}`,
    unit: "src/f.js",
    style: "assert",
  },
  pytest: {
    base: python,
    file: "tests/test_f.py",
    head: "from contextlib import suppress\nfrom shop.f import f, Cart\n",
    unit: "shop/f.py",
    style: "pytest",
  },
  unittest: {
    base: python,
    file: "tests/test_f.py",
    head: "from contextlib import suppress\nfrom shop.f import f, Cart\n",
    unit: "shop/f.py",
    style: "pytest",
  },
};

async function canFail(runner: string, texts: typeof weak | typeof honest): Promise<Check | undefined> {
  const world = worlds[runner];
  if (world === undefined) throw new Error(`no world for ${runner}`);
  const { base, file, head, unit, style } = world;
  const project = await proofProject(base, { modules: style === "expect" || runner === "mocha" });
  const body = texts[style];
  const text = `${head}${runner === "unittest" ? inClass(body) : body}`;
  const settings = { runner, paths: { tests: ["tests/"], source: ["src/", "shop/"] } };
  const { verdict } = await project.red(await project.commitOn(project.base, { [file]: text }), {
    planned: [unit],
    settings,
  });
  return verdict.checks.find(({ name }) => name === "can_fail");
}

const reasons = [
  "its assertion is not executed",
  "a failed assertion is caught and lost",
  "its assertion is not awaited: await or return it",
  "its loop runs over nothing",
  "it compares a value with itself",
  "it compares the unit's answer with the unit's own answer",
  "its assertions hold for every value of the type",
  "its assertions hold for every value of the type",
];

for (const runner of Object.keys(worlds)) {
  const cite = runner === "node:test" ? verifies : verifiesInCi;
  cite("PRV-18", `RED with ${runner} refuses eight tests that cannot fail, by test and line`, async () => {
    const check = await canFail(runner, weak);
    const found = [...(check?.reason ?? "").matchAll(/(tests\/[\w.]+:\d+): "([^"]+)": (.*?)(?=[,;] )/g)];
    expect([check?.verdict, check?.tests.length, check?.acceptable]).toEqual(["fail", 8, true]);
    expect(found.map(([, , , why]) => why)).toEqual(
      worlds[runner]?.style === "pytest" ? reasons.with(2, "a failed assertion is caught and lost") : reasons,
    );
    const lines = found.map(([, place = ""]) => Number(place.split(":")[1]));
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(new Set(lines).size).toBe(8);
  });

  cite("PRV-18", `RED with ${runner} lets honest tests pass that resemble them`, async () => {
    expect(await canFail(runner, honest)).toEqual({
      name: "can_fail",
      verdict: "pass",
      reason: "",
      tests: [],
    });
  });
}
