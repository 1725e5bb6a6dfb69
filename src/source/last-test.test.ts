import { expect, test } from "vitest";
import { lastTest } from "./last-test.ts";
import { loadParser } from "./syntax.ts";

const parse = await loadParser();

test("JavaScript: only the last test keeps its body, with its suites in its name", () => {
  const text = `test("one", () => { expect(a()).toBe(1); });
test("two", () => expect(a()).toBe(2));
describe("more", () => { it("three", async () => { await b(); }); });
`;
  expect(lastTest(parse, { path: "a.test.ts", text })).toEqual({
    name: "more::three",
    text: `test("one", () => {});
test("two", () => {});
describe("more", () => { it("three", async () => { await b(); }); });
`,
  });
});

test("Python: the other bodies pass", () => {
  const text =
    "def test_one():\n    a = 1\n    assert a\n\nclass TestMore:\n    def test_two(self):\n        assert b()\n";
  expect(lastTest(parse, { path: "test_a.py", text })).toEqual({
    name: "TestMore::test_two",
    text: "def test_one():\n    pass\n\nclass TestMore:\n    def test_two(self):\n        assert b()\n",
  });
});

test("one test alone changes nothing", () => {
  expect(lastTest(parse, { path: "a.js", text: 'test("one", () => {});' })).toBeNull();
});
