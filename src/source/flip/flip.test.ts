import { beforeAll, describe, expect, test } from "vitest";
import { loadParser, type Parse } from "../syntax.ts";
import type { ControlCopy, Draw } from "./edit.ts";
import { pythonCopy } from "./flip-python.ts";
import { scriptCopy } from "./flip-script.ts";

let parse: Parse;
beforeAll(async () => {
  parse = await loadParser();
});

function draw(): Draw {
  let count = 0;
  const pick = <Value>(from: readonly Value[]): Value => {
    const [first] = from;
    if (first === undefined) throw new TypeError("nothing to pick from");
    return first;
  };
  const next = (word: string) => `${word}${(count += 1)}`;
  return { pick, name: () => next("n"), title: () => next("title "), mark: () => next("m") };
}

const head = `import { expect, test } from "vitest";
import assert, { deepEqual as same } from "node:assert/strict";
`;

const isSource = (from: string) => !from.includes("helper");

function script(text: string, isWanted: (name: string) => boolean = () => true): ControlCopy {
  const file = { path: "tests/a.test.ts", text: `${head}${text}` };
  const copy = scriptCopy(parse, { file, draw: draw(), isWanted, isSource });
  if (copy === null) throw new TypeError("no copy");
  expect([copy.text, parse(file.path, copy.text) !== null]).toEqual([copy.text, true]);
  return copy;
}

/** The changed assertions of one test with this body. */
function flipped(body: string): readonly string[] {
  const { text } = script(`test("a", async (t) => {\n${body}\n});`);
  return [...text.matchAll(/try \{ (?:await \()?(.*?)(?:;|\))?; n\d+\.push/g)].map(([, code = ""]) => code);
}

describe("a copy of a script", () => {
  test.each([
    ["expect(f()).toBe(3);", "expect(f()).toBe(10)"],
    ["expect(f()).toBe(-3n);", "expect(f()).toBe(4n)"],
    ["expect(f()).toEqual('x');", 'expect(f()).toEqual("x n3")'],
    ["expect(f()).toBe(`x` as string);", 'expect(f()).toBe("x n3" as string)'],
    ["expect(f()).toBe(true);", "expect(f()).toBe(false)"],
    ["expect(f()).toBe(undefined);", "expect(f()).toBe(7)"],
    ["expect(f()).toEqual({ a: { b: [null] } });", "expect(f()).toEqual({ a: { b: [7] } })"],
    [
      "expect(f()).toEqual({ a: expect.any(Number), b: 'x' });",
      'expect(f()).toEqual({ a: expect.any(Number), b: "x n3" })',
    ],
    ["expect(f()).toEqual({ a: 1, ...rest, b: 2 });", "expect(f()).toEqual({ a: 1, ...rest, b: 9 })"],
    ["expect(f()).toEqual([]);", "expect(f()).toEqual([7])"],
    ["expect(f()).toMatchObject({});", "expect(f()).toMatchObject({ n3: 7 })"],
    ["expect(f()).toContain(3);", "expect(f()).toContain(7066)"],
    ["expect(f()).toBeCloseTo(0.5, 2);", "expect(f()).toBeCloseTo(1000000001, 2)"],
    ["expect(f()).toMatch(/ab+/i);", "expect(f()).toMatch(/(?!)ab+/i)"],
    ["expect(f).toThrow('bad');", 'expect(f).toThrow("bad n3")'],
    ["expect(f).toThrow(new RangeError('bad'));", 'expect(f).toThrow(new RangeError("bad n3"))'],
    ["expect(f).toThrow(RangeError);", "expect(() => {}).toThrow(RangeError)"],
    ["expect(f()).toBeTruthy();", "expect(!(f())).toBeTruthy()"],
    ["expect(f()).toBeNull();", "expect([f()]).toBeNull()"],
    ["await expect(f()).resolves.toBe(3);", "await expect(f()).resolves.toBe(10)"],
    ["expect(f()).to.deep.equal([3]);", "expect(f()).to.deep.equal([10])"],
    ["expect(f()).to.be.true;", "expect(!(f())).to.be.true"],
    ["f().should.equal(3);", "f().should.equal(10)"],
    ["assert.equal(f(), 3);", "assert.equal(f(), 10)"],
    ["assert.strict.deepEqual({ a: 3 }, f());", "assert.strict.deepEqual({ a: 10 }, f())"],
    ["same(f(), 'x');", 'same(f(), "x n3")'],
    ["t.assert.strictEqual(f(), 3);", "t.assert.strictEqual(f(), 10)"],
    ["assert(f());", "assert(!(f()))"],
    ["assert.match(f(), /ab/);", "assert.match(f(), /(?!)ab/)"],
    ["return expect(f()).rejects.toThrow('bad')", 'expect(f()).rejects.toThrow("bad n3")'],
  ])("`%s` becomes `%s`", (body, wanted) => {
    expect(flipped(body).map((code) => code.replace(/\bn\d+\b/, "n3"))).toEqual([wanted]);
  });

  test.each([
    "expect(f()).not.toBe(3);",
    "expect(f()).toBeGreaterThan(3);",
    "assert.notEqual(f(), 3);",
    "expect(f()).toBe(g());",
    "expect(f()).toEqual({ a: 1, ...rest });",
    "expect(f()).resolves.toBe(3);",
    "expect(f()).to.be.oneOf([1, 2]);",
    "if (f()) expect(f()).toBe(3);",
    "for (const one of list) expect(one).toBe(3);",
    "try { f(); } catch (error) { expect(error.message).toBe('bad'); }",
    "list.forEach((one) => expect(one).toBe(3));",
    "vi.spyOn(console, 'log').mockReturnValue(3);",
    "const x = f(3);",
    "check(f(), 3);",
    "expect(f()).toMatchInlineSnapshot(`3`);",
  ])("`%s` stays as it is", (body) => {
    expect(flipped(body)).toEqual([]);
  });

  test("a variable that one assertion alone uses is its expected value; any other one is not", () => {
    expect(script('test("a", () => { const wanted = [3]; expect(f()).toEqual(wanted); });').text).toContain(
      "const wanted = [10]; try { expect(f()).toEqual(wanted)",
    );
    expect(flipped("const wanted = [3]; f(wanted); expect(f()).toEqual(wanted);")).toEqual([]);
  });

  test("known values take each other's place", () => {
    const { text } = script('test("a", () => { expect(f(1)).toBe(3); expect(f(2)).toBe(4); });');
    expect([text.includes("f(1)).toBe(4)"), text.includes("f(2)).toBe(3)")]).toEqual([true, true]);
  });

  test("each test keeps its name and place, and ends with a false assertion that nothing precedes", () => {
    const { tests, unchanged, text } = script(`describe("s", () => {
  test("a", () => assert.equal(f(), 3));
  it("b", function () { f(); });
  test("c", (done) => { expect(f()).toBe(3); f(() => done()); });
  test("early", () => { if (f()) return; expect(f()).toBe(3); });
  test.each([[1]])("table %i", (x) => { expect(f(x)).toBe(1); });
  test.fails("d", () => { expect(f()).toBe(1); });
  for (const x of [1]) test("loop", () => { expect(f(x)).toBe(1); });
});
test("counted", () => { expect.assertions(1); expect(f()).toBe(3); });`);
    expect(tests.map(({ name, line, count, flips }) => [name, line, count, flips.length])).toEqual([
      ["s::a", 4, 1, 1],
      ["s::b", 5, 1, 0],
      ["s::c", 6, 1, 1],
      ["counted", 12, 1, 1],
    ]);
    expect(unchanged).toEqual(["s::early", "table %i", "d", "loop"]);
    const lines = text.split("\n");
    expect(lines.length).toBe(12);
    expect(lines[4]).toMatch(/f\(\);.*expect\(`m\d+:\$\{n\d+\}`\)\.toBe\("n\d+"\);/);
    expect(lines[5]).toMatch(/toBe\("n\d+"\); f\(\(\) => done\(\)\);/);
    expect(lines[11]).toMatch(/throw new Error\(/);
  });

  test("a file in which no test has a certain name gets one false test more", () => {
    const { text, tests } = script("for (const x of [1]) test(`n ${x}`, () => { expect(f(x)).toBe(1); });");
    expect(tests.map(({ name }) => name)).toEqual(["title 2"]);
    expect(text.split("\n").at(-2)).toBe(';test("title 2", () => { expect("m1:").toBe("n3"); });');
  });

  test("an `expect` that the project wrote is no assertion", () => {
    const copy = scriptCopy(parse, {
      file: {
        path: "a.test.js",
        text: 'import { expect } from "./mine.js";\ntest("a", () => { expect(f()).toBe(3); });',
      },
      draw: draw(),
      isWanted: () => true,
      isSource,
    });
    expect([copy?.tests, copy?.unchanged]).toEqual([[], ["a"]]);
  });
});

describe("a copy of a Python file", () => {
  const copyOf = (text: string) =>
    pythonCopy(
      { file: { path: "test_a.py", text }, draw: draw(), isWanted: () => true, isSource },
      { inClass: false },
    );
  const changed = (body: string) => {
    const { text } = copyOf(`class Cart(TestCase):\n    def test_a(self):\n        ${body}\n`);
    return /try:\n\s+([^]*?)\n\s+n\d+\.append/.exec(text)?.[1] ?? null;
  };

  test.each([
    ["assert f() == 3", "assert f() == 10"],
    ["assert 'x' == f(), 'why'", "assert 'x n3' == f(), 'why'"],
    ["assert f() == {'a': [True]}", "assert f() == {'a n3': [True]}"],
    ["assert f() == -2.5", "assert f() == -9.5"],
    ["assert f() == []", "assert f() == [7]"],
    ["assert f() is True", "assert f() is False"],
    ["assert f() == pytest.approx(0.5)", "assert f() == pytest.approx((0.5 * 3 + 1e9))"],
    ["assert (f() == 3)", "assert (f() == 10)"],
    ["self.assertEqual(f(), 3)", "self.assertEqual(f(), 10)"],
    ["self.assertEqual(b'x', f(), msg='y')", "self.assertEqual(b'x n3', f(), msg='y')"],
    ["self.assertListEqual(f(), [3])", "self.assertListEqual(f(), [10])"],
    ["self.assertTrue(f())", "self.assertTrue(not (f()))"],
    ["self.assertAlmostEqual(f(), 3.5, places=2)", "self.assertAlmostEqual(f(), (3.5 * 3 + 1e9), places=2)"],
  ])("`%s` becomes `%s`", (body, wanted) => {
    expect(changed(body)).toBe(wanted);
  });

  test.each([
    "assert f() != 3",
    "assert f() > 3",
    "assert not f() == 3",
    "assert f() == 3 or g()",
    "assert 1 < f() == 3",
    "assert f() == g() == 3",
    "assert f() is not None",
    "assert f() == f'{x}'",
    "assert f() == [x]",
    "self.assertNotEqual(f(), 3)",
    "self.assertEqual(f(), 'a' 'b')",
    "with self.subTest(): self.assertEqual(f(), 3)",
    "mock.return_value = 3",
  ])("`%s` stays as it is", (body) => {
    expect(changed(body)).toBe(null);
  });

  test("each test keeps its name and ends with a false assertion; an uncertain one is not changed", () => {
    const { text, tests, unchanged } = copyOf(`import pytest

def test_a():
    wanted = 3
    assert f() == wanted
    for x in [1]:
        assert f(x) == 4

@pytest.mark.parametrize("x", [1, 2])
def test_table(x):
    assert len(f(x)) == 4

def test_early():
    if f():
        return
    assert f() == 3

class TestCart(unittest.TestCase):
    def test_b(self):
        self.assertEqual(f(), "x")
`);
    expect(tests.map(({ name, count, flips }) => [name, count, flips.length])).toEqual([
      ["test_a", 1, 1],
      ["test_table", null, 1],
      ["TestCart::test_b", 1, 1],
    ]);
    expect(unchanged).toEqual(["test_early"]);
    expect(text).toContain("    wanted = 4\n    try:\n        assert f() == wanted\n");
    expect(text).toMatch(/assert f\(x\) == 4\n {4}assert f"m\d+:\{n\d+\}" == "n\d+"/);
    expect(text).toMatch(/ {8}self\.assertEqual\(f"m\d+:\{n\d+\}", "n\d+"\)\n$/);
  });
});
