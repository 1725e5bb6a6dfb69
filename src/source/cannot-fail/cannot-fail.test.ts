import { expect, test } from "vitest";
import { loadParser } from "../syntax.ts";
import { weakPythonTests } from "./python-weak.ts";
import { weakScriptTests } from "./script-weak.ts";
import type { WeakTest } from "./weak-test.ts";

const parse = await loadParser();
const isSource = (from: string) => !from.includes("helper");
const shown = (found: readonly WeakTest[]) =>
  found.map(({ line, why, isCertain }) => `${line} ${why}${isCertain ? "" : "?"}`);

function script(body: string, params = "async () =>"): readonly string[] {
  const text = `import { expect, test } from "vitest";
import assert from "node:assert/strict";
import { f, Cart, find } from "../src/f.js";
import { expectTotal } from "./helper.js";
test("FR1 works", ${params} {
${body}
});
`;
  return shown(weakScriptTests(parse, { path: "tests/f.test.js", text }, isSource));
}

function python(body: string, title = "test_works"): readonly string[] {
  const lines = body.split("\n").map((line) => `    ${line}`);
  const text = `import pytest\nfrom f import f, Cart, find\nfrom tests.helper import total_is\ndef ${title}():\n${lines.join("\n")}\n`;
  return shown(weakPythonTests(text, isSource));
}

test.each([
  ["a matcher that is not called", "expect(f(1)).toBe;", "6 not executed"],
  ["a value without a matcher", "expect(f(1));", "6 not executed"],
  ["an assertion after a return", "return;\nexpect(f(1)).toBe(2);", "7 not executed"],
  ["a condition that is false", "if (false) {\nexpect(f(1)).toBe(2); }", "7 not executed"],
  ["a function that nobody calls", "const check = () => { expect(f(1)).toBe(2); };", "6 not executed"],
  ["a failure that is caught", "try { expect(f(1)).toBe(2); } catch {}", "6 swallowed"],
  ["a failure that is printed", "try { expect(f(1)).toBe(2); } catch (e) { console.log(e); }", "6 swallowed"],
  [
    "a promise that catches it",
    "await f(1).then((v) => { expect(v).toBe(2); }).catch(() => {});",
    "6 swallowed",
  ],
  ["a promise of expect", "expect(f(1)).resolves.toBe(2);", "6 not awaited"],
  ["a promise of assert", "assert.rejects(f(1), /no/);\nassert.equal(f(2), 3);", "6 not awaited"],
  ["a callback of a promise", "f(1).then((v) => { expect(v).toBe(2); });", "6 not awaited"],
  ["a timer", "setTimeout(() => { expect(f(1)).toBe(2); }, 10);", "6 not awaited"],
  ["a loop over nothing", "for (const x of []) { expect(f(x)).toBe(2); }", "6 empty loop"],
  [
    "a list that stays empty",
    "const all = [];\nall.forEach((x) => { expect(f(x)).toBe(2); });",
    "7 empty loop",
  ],
  ["a value and itself", "const x = f(1);\nexpect(x).toEqual(x);", "7 same value"],
  ["the unit's own answer", "expect(f(1)).toBe(f(1));", "6 own answer"],
  ["its own answer in a variable", "const wanted = f(1);\nexpect(f(1)).toBe(wanted);", "7 own answer"],
  ["its own answer in a condition", "assert.ok(f(1) === f(1));", "6 own answer"],
  ["two constants", "expect(true).toBe(true);", "6 constants"],
  ["typeof", 'expect(typeof f(1)).toBe("number");', "6 types"],
  ["typeof of a variable", 'const x = f(1);\nassert.equal(typeof x, "number");', "7 types"],
  ["a value that is defined", "expect(f(1)).toBeDefined();", "6 types"],
  ["a value that is not null", "expect(f(1)).not.toBeNull();", "6 types"],
  ["a type of the language", "expect(f(1)).toBeInstanceOf(Object);", "6 types"],
  ["any number", "expect(f(1)).toEqual(expect.any(Number));", "6 types"],
  ["an array", "expect(Array.isArray(f(1))).toBe(true);", "6 types"],
  ["several weak ones", "expect(f(1)).toBeDefined();\nexpect(f(2)).toBe(f(2));", "6 types"],
  ["a value that is true", "expect(f(1)).toBeTruthy();", "6 types?"],
  ["any near number", "expect(f(1)).toBeCloseTo(90, -4);", "6 tolerance"],
  ["any number at a distance", "assert.ok(Math.abs(f(1) - 90) < 1000);", "6 tolerance"],
  ["a number of the other sign", "assert.ok(200 >= Math.abs(90 - f(1)));", "6 tolerance?"],
] as const)("a test with %s cannot fail", (_what, body, found) => {
  expect(script(body)).toEqual([found]);
});

test.each([
  ["a value", "expect(f(1)).toBe(2);"],
  ["a tolerance for rounding", "expect(f(1)).toBeCloseTo(90);"],
  ["a tolerance around zero", "assert.ok(Math.abs(f(1) - 0) < 1000);"],
  ["a tolerance of a tenth", "assert.ok(Math.abs(f(1) - 90) < 9);"],
  ["a weak assertion beside a good one", "expect(f(1)).toBeDefined();\nexpect(f(1)).toBe(2);"],
  ["try with finally", "try { expect(f(1)).toBe(2); } finally { f(); }"],
  [
    "an error that is thrown again",
    "try { expect(f(1)).toBe(2); } catch (e) { throw new Error('x', { cause: e }); }",
  ],
  [
    "an error that is compared",
    "try { f(1); assert.fail('no error'); } catch (e) { expect(e.message).toBe('x'); }",
  ],
  ["an attempt that is repeated", "for (;;) { try { expect(f(1)).toBe(2); break; } catch {} }"],
  ["a promise that is kept", "const p = expect(f(1)).rejects.toThrow('x');\nf(2);\nawait p;"],
  ["promises together", "await Promise.all([expect(f(1)).resolves.toBe(2), expect(f(2)).resolves.toBe(3)]);"],
  ["a promise that is returned", "return expect(f(1)).resolves.toBe(2);"],
  ["a callback before an await", "f(1).then((v) => { expect(v).toBe(2); });\nawait f(2);"],
  ["a list of cases", "for (const [x, y] of [[1, 2]]) { expect(f(x)).toBe(y); }"],
  [
    "a list that is filled",
    "const all = [];\nf((x) => all.push(x));\nfor (const x of all) { expect(x).toBe(2); }",
  ],
  ["a named callback", "[1].forEach(function each(x) { expect(f(x)).toBe(2); });"],
  ["a function that is called", "const check = () => { expect(f(1)).toBe(2); };\ncheck();"],
  ["two different calls", "expect(f(1)).toBe(f(2));"],
  ["a state before and after", "const before = f(1);\nf.add(2);\nexpect(f(1)).toBe(before);"],
  ["a class of errors", "expect(f(1)).toBeInstanceOf(RangeError);"],
  ["a predicate", "expect(f.isOpen(1)).toBeTruthy();"],
  ["a marker of a wrong way", "if (f(1)) expect(true).toBe(false);"],
  ["a helper of another file", "expectTotal(f(1));"],
  [
    "a value that is missing elsewhere",
    "expect(f(1)).toBeDefined(); });\ntest('none', () => { expect(f(2)).toBeUndefined();",
  ],
] as const)("a test with %s can fail", (_what, body) => {
  expect(script(body)).toEqual([]);
});

test("findings are not certain: what is meant to be the same, queries, interfaces, and objects", () => {
  expect(script("expect(f.once()).toBe(f.once());")).toEqual(["6 own answer?"]);
  expect(script("f(1);\nexpect(true).toBe(true);")).toEqual(["7 constants?"]);
  expect(python("f(1)\nassert True")).toEqual(["6 constants?"]);
  expect(script("expect(find(1)).toBeDefined();")).toEqual(["6 types?"]);
  expect(script('expect(typeof f).toBe("function");')).toEqual(["6 types?"]);
  expect(script("expect(new Cart()).toBeDefined();")).toEqual(["6 types?"]);
});

test("a test with a callback waits for it", () => {
  expect(script("f(1).then((v) => { expect(v).toBe(2); done(); });", "(done) =>")).toEqual([]);
});

test.each([
  ["a method that is not called", "self.assertEqual", "5 not executed"],
  ["an assertion after a return", "return\nassert f(1) == 2", "6 not executed"],
  ["a condition that is false", "if False:\n    assert f(1) == 2", "6 not executed"],
  ["a function that nobody calls", "def check():\n    assert f(1) == 2", "6 not executed"],
  ["a generator", "yield f(1)\nassert f(1) == 2", "4 not executed"],
  ["a failure that is caught", "try:\n    assert f(1) == 2\nexcept AssertionError:\n    pass", "6 swallowed"],
  ["any failure that is caught", "try:\n    assert f(1) == 2\nexcept: pass", "6 swallowed"],
  ["a suppressed failure", "with suppress(AssertionError):\n    assert f(1) == 2", "6 swallowed"],
  ["a loop over nothing", "for x in []:\n    assert f(x) == 2", "6 empty loop"],
  ["a list that stays empty", "cases = []\nfor x in cases:\n    assert f(x) == 2", "7 empty loop"],
  ["a value and itself", "x = f(1)\nassert x == x", "6 same value"],
  ["the unit's own answer", "assert f(1) == f(1)", "5 own answer"],
  ["its own answer in a variable", "wanted = f(1)\nself.assertEqual(f(1), wanted)", "6 own answer"],
  ["two constants", "assert True", "5 constants"],
  ["a tuple", 'assert (f(1) == 2, "is two")', "5 constants"],
  ["isinstance", "assert isinstance(f(1), int)", "5 types"],
  ["type", "x = f(1)\nassert type(x) is int", "6 types"],
  ["a value that is not None", "assert f(1) is not None", "5 types"],
  ["methods about types", "self.assertIsInstance(f(1), int)\nself.assertIsNotNone(f(1))", "5 types"],
  ["a value that is true", "assert f(1)", "5 types?"],
  ["any near number", "assert f(1) == pytest.approx(90, abs=1_000)", "5 tolerance"],
  ["any number at a distance", "assert abs(f(1) - 90) < 1000", "5 tolerance"],
  ["any number in its tens of thousands", "self.assertAlmostEqual(f(1), 90, -4)", "5 tolerance"],
  ["a number of the other sign", "assert math.isclose(f(1), 90, rel_tol=2)", "5 tolerance?"],
] as const)("a test of Python with %s cannot fail", (_what, body, found) => {
  expect(python(body)).toEqual([found]);
});

test.each([
  ["a value", "assert f(1) == 2"],
  ["a tolerance for rounding", "assert f(1) == pytest.approx(90)"],
  ["a tolerance of a tenth", "assert abs(f(1) - 90) < 9"],
  ["a delta", "self.assertAlmostEqual(f(1), 90, delta=0.5)"],
  ["a distance around zero", "assert abs(f(1)) < 1000"],
  ["a value in brackets", 'assert (\n    f(1)\n    == 2\n), "is two"'],
  ["a weak assertion beside a good one", "assert f(1) is not None\nassert f(1) == 2"],
  ["another error", "try:\n    assert f(1) == 2\nexcept ValueError:\n    pass"],
  [
    "an error that is raised again",
    "try:\n    assert f(1) == 2\nexcept AssertionError as e:\n    raise ValueError from e",
  ],
  ["try with finally", "try:\n    assert f(1) == 2\nfinally:\n    f(0)"],
  [
    "an attempt that is repeated",
    "while True:\n    try:\n        assert f(1) == 2\n        break\n    except AssertionError:\n        pass",
  ],
  ["a list of cases", "for x, y in [(1, 2)]:\n    assert f(x) == y"],
  ["a list that is filled", "seen = []\nf(seen.append)\nfor x in seen:\n    assert x == 2"],
  ["two equal objects", "assert Cart(1) == Cart(1)"],
  ["the same object", "assert f(1) is f(1)"],
  ["two different calls", "assert f(1) == f(2)"],
  ["a state before and after", "before = f(1)\nf.add(2)\nassert f(1) == before"],
  ["a predicate", "assert f.is_open(1)"],
  ["an expected error", "with pytest.raises(ValueError):\n    f(1)"],
  ["a helper of another file", "total_is(f(1))"],
] as const)("a test of Python with %s can fail", (_what, body) => {
  expect(python(body)).toEqual([]);
});

test("a coroutine of unittest is never awaited, one of IsolatedAsyncioTestCase is", () => {
  const file = (base: string) =>
    shown(
      weakPythonTests(
        `import unittest\nclass T(unittest.${base}):\n    async def test_a(self):\n        self.assertEqual(1, 2)\n`,
        isSource,
      ),
    );
  expect([file("TestCase"), file("IsolatedAsyncioTestCase")]).toEqual([["3 not awaited"], []]);
});
