import { expect, test } from "vitest";
import { idsOfChange } from "./ids-of-change.ts";
import { renamedTests } from "./renamed-tests.ts";
import { noTests, type Suite } from "./suite.ts";
import { checkWeakened, testChanges, weakenedTests } from "./weakened-tests.ts";

function said(path: string, before: string, after: string | null): readonly string[] {
  return weakenedTests([{ path, before, after }]).map(({ message }) => message);
}

const old: Readonly<Record<string, string>> = {
  "tests/a.test.js": `import assert from "node:assert";
const table = [1, 2];
test("refuses", () => {
  assert.throws(() => run(null));
});
test("keeps", () => { assert.equal(run(1), 1); });
`,
  "tests/test_a.py": `import pytest


class TestRun:
    def test_refuses(self):
        with pytest.raises(ValueError):
            run(None)

    def test_keeps(self):
        assert run(1) == 1
`,
  "a_test.go": `package a

func TestRefuses(t *testing.T) {
	if err := Run(nil); err == nil {
		t.Fatal("no error")
	}
}

func TestKeeps(t *testing.T) {
	if Run(1) != 1 {
		t.Error("not kept")
	}
}
`,
  "tests/a.rs": `#[test]
fn refuses() {
    assert!(run(None).is_err());
}

#[test]
fn keeps() {
    assert_eq!(run(Some(1)), Ok(1));
}
`,
};

/** File -> [an assertion, a weaker one, the name of its test]. */
const weaker: Readonly<Record<string, readonly [string, string, string]>> = {
  "tests/a.test.js": ["assert.throws(() => run(null));", "assert.ok(true);", "refuses"],
  "tests/test_a.py": ["assert run(1) == 1", "assert True", "test_keeps"],
  "a_test.go": ['t.Error("not kept")', 't.Log("not kept")', "TestKeeps"],
  "tests/a.rs": ["assert!(run(None).is_err());", "assert!(true);", "refuses"],
};

for (const [path, [strong, weak, title]] of Object.entries(weaker))
  test(`an assertion of an old test that is replaced is named with both (fault R9): ${path}`, () => {
    const before = old[path] ?? "";
    const [first, ...others] = said(path, before, before.replace(strong, weak));
    const [from, to] = [strong, weak].map((line) => line.replace(/;$/, ""));
    expect(others).toEqual([]);
    expect(first).toBe(`the old test "${title}" was changed; removed assertion: ${from}; now: ${to}`);
    expect(
      said(path, before, `${before.replaceAll("\t", "  ")}\n${path.endsWith("py") ? "#" : "//"} more\n`),
    ).toEqual([]);
  });

test("old tests that are removed, renamed, emptied early or given other tables are reported, new ones are not", () => {
  const path = "tests/a.test.js";
  const before = old[path] ?? "";
  expect(said(path, before, `${before}test("new", () => { assert.equal(run(2), 2); });\n`)).toEqual([]);
  expect(said(path, before, null)).toEqual(["an old test file with 2 tests was removed"]);
  expect(said(path, before, before.replace(/test\("keeps".*\n/, ""))).toEqual([
    'the old test "keeps" was removed',
  ]);
  expect(said(path, before, before.replace('"keeps"', '"holds"'))).toEqual([
    'the old test "keeps" was renamed',
  ]);
  expect(said(path, before, before.replace("  assert.throws", "  return;\n  assert.throws"))).toEqual([
    'the old test "refuses" was changed; added: return',
  ]);
  expect(said(path, before, before.replace("[1, 2]", "[1]"))).toEqual([
    "shared code of old tests was changed; removed: const table = [1, 2]; now: const table = [1]",
  ]);
});

test("a change in one of two tests of one name is no change of their shared code", () => {
  const suites = (value: string) =>
    ["a", "b"]
      .map(
        (name) =>
          `describe("${name}", () => {\n  it("is", () => { expect(${name}).toBe(1); ${value} });\n});\n`,
      )
      .join("");
  const changes = testChanges([
    {
      path: "a.test.js",
      before: suites(""),
      after: suites("").replace("expect(a).toBe(1)", "expect(a).toBeTruthy()"),
    },
  ]);
  expect(changes.map(({ title, what }) => [title, what])).toEqual([["is", "weaker"]]);
});

test("a test expects less with fewer assertions, fewer exact ones or fewer values, and not by renaming", () => {
  const of = (before: string, after: string) => {
    const text = (line: string) => `test("t", () => {\n  const x = run();\n  ${line}\n});\n`;
    return testChanges([{ path: "a.test.js", before: text(before), after: text(after) }])[0]?.what;
  };
  expect(of("assert.equal(x, 3);", "assert.ok(x);")).toBe("weaker");
  expect(of("assert.equal(x, 3);", "assert.ok(x >= 3);")).toBe("weaker");
  expect(of("expect(x).toEqual([1, 2]);", "expect(x).toContain(1);")).toBe("weaker");
  expect(of("assert.equal(x, 3);\n  assert.equal(x, x);", "assert.equal(x, 3);")).toBe("weaker");
  expect(of("assert.equal(x, 3);", "assert.strictEqual(x, 3);")).toBe("changed");
  expect(of("assert.equal(x, 3);", "assert.equal(x, 3);\n  assert.equal(y, 4);")).toBe("changed");
  expect(of("assert.equal(x, 3);", "assert.equal(result, 3);")).toBe("changed");
  // A value that got a name is still expected.
  expect(of("assert.equal(x, 3);", "const sum = 3;\n  assert.equal(x, sum);")).toBe("changed");
  expect(of("assert.equal(x, 3);", "const sum = 3;\n  assert.equal(x, x);")).toBe("weaker");
});

test("assertions that move into a function of the same file are not fewer, unless it asserts less", () => {
  const scripts = (call: string, helper: string) => `test("t", () => {\n  ${call}\n});\n${helper}`;
  const python = (call: string, helper: string) => `def test_t():\n    ${call}\n\n\n${helper}`;
  const of = (path: string, before: string, after: string) =>
    testChanges([{ path, before, after }]).find(({ title }) => title !== null)?.what;
  const equal = "function sums(list, sum) {\n  assert.equal(run(list), sum);\n}\n";
  const script = (helper: string) =>
    of("a.test.js", scripts("assert.equal(run([2]), 2);", ""), scripts("sums([2], 2);", helper));
  expect([
    script(equal),
    script("const sums = (list, sum) => assert.equal(run(list), sum);\n"),
    script("const sums = (list, sum) => {\n  assert.equal(run(list), sum);\n};\n"),
    script(equal.replace("equal", "ok")),
    script("function sums() {}\nfunction more(list) {\n  assert.equal(run(list), 2);\n}\n"),
    script('import { sums } from "./sums.js";\n'),
  ]).toEqual(["changed", "changed", "changed", "weaker", "weaker", "weaker"]);
  const asserting = "def sums(prices, total):\n    assert run(prices) == total\n";
  const written = (helper: string) =>
    of("test_a.py", python("assert run([2]) == 2", ""), python("sums([2], 2)", helper));
  expect([written(asserting), written("def sums(prices, total):\n    pass\n")]).toEqual([
    "changed",
    "weaker",
  ]);
});

test("a renamed test is recognised by its text, in another suite too", () => {
  const path = "a.test.js";
  const before =
    'describe("old", () => {\n  it("is one", () => { expect(run()).toBe(1); });\n  it("is two", () => { expect(run(2)).toBe(2); });\n});\n';
  const after = before.replace('"old"', '"new"').replace('"is one"', '"gives one"');
  const suite = (...ids: readonly string[]): Suite => ({
    ...noTests,
    report: {
      ...noTests.report,
      tests: ids.map(
        (id) => ({ id, status: "passed", message: "", kind: null, frames: [], durationMs: 0 }) as never,
      ),
    },
  });
  const renamed = renamedTests(
    testChanges([{ path, before, after }]),
    suite(`${path}::old::is one`, `${path}::old::is two`),
    suite(`${path}::new::gives one`, `${path}::new::is two`),
  );
  expect([...renamed]).toEqual([
    [`${path}::old::is one`, `${path}::new::gives one`],
    [`${path}::old::is two`, `${path}::new::is two`],
  ]);
});

const again = (values: readonly number[], more = "") =>
  values
    .map(
      (value, at) =>
        `when("case ${at}", () => {\n  it("is right", () => { expect(of(${at})).toBe(${value}); });\n});\n`,
    )
    .join("") + more;
const id = (at: number | string) => `a.test.js::case ${at}::is right`;

test("of several tests of one title those that changed must fail on the base, and no others (PRV-22)", () => {
  const judged = (after: string, failingOnBase: readonly string[], accepted: readonly string[] = []) =>
    checkWeakened({
      changes: testChanges([{ path: "a.test.js", before: again([1, 2, 3]), after }]),
      ids: [id(0), id(1), id(2), id("new")],
      onBase: [id(0), id(1), id(2)],
      failingOnBase,
      accepted,
      accepting: "accept",
    });
  const changed = again([1, 4, 3]);
  expect(judged(changed, [id(1)]).verdict).toBe("pass");
  expect(judged(changed, [], [id(1)]).verdict).toBe("pass");
  expect(judged(changed, [])).toMatchObject({ verdict: "fail", tests: [id(0), id(1), id(2), id("new")] });
  // Two changed, and one of them shows nothing; a new test of the title does not help.
  expect(judged(again([1, 4, 5]), [id(1)]).verdict).toBe("fail");
  expect(judged(changed, [id("new")]).verdict).toBe("fail");
});

test("the tests of a suite are not those of a test of the suite's title (PRV-22)", () => {
  const change = { path: "a.test.js", title: "total" };
  const ids = ["a.test.js::total::adds", "a.test.js::cart::total", "a.test.js::total of two::total#2"];
  expect(idsOfChange(change, ids)).toEqual(ids.slice(1));
  expect(idsOfChange(change, ids.slice(0, 1))).toEqual(ids.slice(0, 1));
  expect(idsOfChange({ path: "a.test.py", title: "test_a" }, ["a.test.py::test_a[1::2]"])).toHaveLength(1);
});

test("a table that gains rows, and a word in quotes, remove no assertion (PRV-22)", () => {
  const rows = (text: string) =>
    `import pytest\n\n\n@pytest.mark.parametrize(${text})\ndef test_t(text, expect):\n    assert strip(text) == expect\n`;
  const more = testChanges([
    {
      path: "test_a.py",
      before: rows('("text", "expect"), [("x y", "x")]'),
      after: rows('\n    ("text", "expect"),\n    [\n        ("x y", "x"),\n        ("z", "z"),\n    ],\n'),
    },
  ]);
  expect(more.map(({ what }) => what)).toEqual(["changed"]);
  const title = (name: string) => `test("should ${name}", () => {\n  expect(add(1)).toBe(2);\n});\n`;
  const asked = testChanges([
    { path: "a.test.js", before: `${title("add")}describe("should", f);\n`, after: title("add") },
  ]);
  expect(asked.map(({ what }) => what)).toEqual(["changed"]);
});

test("a removed repetition of a test takes nothing away; a removed test of the same name does", () => {
  const one = "def test_adds():\n    assert add(1, 2) == 3\n\n";
  const other = "def test_adds():\n    assert add(0, 2) == 2\n\n";
  const changes = (before: string, after: string) =>
    testChanges([{ path: "tests/test_a.py", before, after }]).map(
      ({ what, message }) => `${what}: ${message}`,
    );
  expect(changes(one + one, one)).toEqual([
    'changed: the old test "test_adds" stands fewer times, its text remains',
  ]);
  expect(changes(one + other, one)).toEqual([expect.stringMatching(/^weaker: .*removed assertion/u)]);
});
