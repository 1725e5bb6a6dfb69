import { expect, test } from "vitest";
import { weakenedTests } from "./weakened-tests.ts";

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
    expect(first).toBe(`the old test "${title}" was changed; an assertion is gone: ${from}; now: ${to}`);
    expect(
      said(path, before, `${before.replaceAll("\t", "  ")}\n${path.endsWith("py") ? "#" : "//"} more\n`),
    ).toEqual([]);
  });

test("old tests that are gone, renamed, emptied early or fed other tables are named, new ones beside them are not", () => {
  const path = "tests/a.test.js";
  const before = old[path] ?? "";
  expect(said(path, before, `${before}test("new", () => { assert.equal(run(2), 2); });\n`)).toEqual([]);
  expect(said(path, before, null)).toEqual(["an old test file is gone, with 2 tests"]);
  expect(said(path, before, before.replace(/test\("keeps".*\n/, ""))).toEqual([
    'the old test "keeps" is gone',
  ]);
  expect(said(path, before, before.replace('"keeps"', '"holds"'))).toEqual([
    'the old test "keeps" has another name',
  ]);
  expect(said(path, before, before.replace("  assert.throws", "  return;\n  assert.throws"))).toEqual([
    'the old test "refuses" was changed; new in it: return',
  ]);
  expect(said(path, before, before.replace("[1, 2]", "[1]"))).toEqual([
    "what old tests use was changed; gone: const table = [1, 2]; now: const table = [1]",
  ]);
});
