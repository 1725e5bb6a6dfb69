import { beforeAll, expect, test } from "vitest";
import { loadParser, type Parse } from "../syntax.ts";
import { withoutTests } from "./without-tests.ts";

let parse: Parse;
beforeAll(async () => {
  parse = await loadParser();
});

const cutIn = (path: string, text: string, ...wanted: readonly string[]) => {
  const { text: left, cut } = withoutTests(parse, { path, text }, new Set(wanted));
  return { left, cut: [...cut] };
};

const script = `import { test } from "vitest";
const shared = 1;

// adds 2 and 3
test("FR1 adds", () => { expect(add(2, 3)).toBe(5); });

/**
 * more
 */
await test("FR1 adds more", async () => {
  expect(add(2, 4)).toBe(6);
});

describe("FR2", () => {
  beforeEach(() => {});
  it("is empty", () => {});
});
test.each([1, 2])("FR3 %i", () => {});
if (shared) test("FR4", () => {});
`;

test("tests of a script go with their comments, and a suite that would be empty", () => {
  expect(cutIn("a.test.ts", script, "FR1 adds", "FR1 adds more", "FR2::is empty", "FR3 1", "FR4")).toEqual({
    left: `import { test } from "vitest";
const shared = 1;



test.each([1, 2])("FR3 %i", () => {});
if (shared) test("FR4", () => {});
`,
    cut: ["FR1 adds", "FR1 adds more", "FR2::is empty"],
  });
});

test("a suite with another test stays, and a name that occurs twice is not cut", () => {
  const text = `describe("s", () => {
  test("a", () => {});
  test("b", () => {}); // beside
  test("c", () => {});
  test("c", () => {});
});
`;
  expect(cutIn("a.test.js", text, "s::a", "s::b", "s::c")).toEqual({
    left: `describe("s", () => {
 // beside
  test("c", () => {});
  test("c", () => {});
});
`,
    cut: ["s::a", "s::b"],
  });
});

test("a file whose tests are all cut has no text left", () => {
  expect(cutIn("a.test.js", `test("a", () => {});\n`, "a")).toEqual({ left: null, cut: ["a"] });
  expect(cutIn("test_a.py", "import a\n\ndef test_a():\n    assert 1\n", "test_a")).toEqual({
    left: null,
    cut: ["test_a"],
  });
});

const python = `import pytest
from src.add import add

# 2 and 3
@pytest.mark.parametrize("a", [1, 2])
def test_fr1_adds(a):
    """Adds."""
    # why

    assert add(a, 3) == a + 3


def test_fr1_adds_more():
    assert add(2, 4) == 6

class TestMore:
    """More."""

    def test_one(self):
        assert True

    def test_two(self):
        assert True

def helper():
    return 1
`;

test("tests of Python go with decorators and comments, and an emptied class", () => {
  const wanted = ["test_fr1_adds", "TestMore::test_one", "TestMore::test_two"];
  expect(cutIn("test_add.py", python, ...wanted)).toEqual({
    left: `import pytest
from src.add import add



def test_fr1_adds_more():
    assert add(2, 4) == 6


def helper():
    return 1
`,
    cut: wanted,
  });
  expect(cutIn("test_add.py", python, "TestMore::test_two").left).toBe(
    python.replace("    def test_two(self):\n        assert True\n", ""),
  );
});
