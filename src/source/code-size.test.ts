import { expect, test } from "vitest";
import { sizeNumbers, sizeOf } from "./code-size.ts";

test("lines of code and branches are counted, strings and comments are not", () => {
  const script = [
    "// if this were code",
    "export function pick(a, b) {",
    '  if (a && b) return "if && ||";',
    "",
    "  return a?.x ?? (b ? 1 : 2);",
    "}",
  ].join("\n");
  expect(sizeOf(new Map([["src/pick.js", script]]))).toEqual({ lines: 4, branches: 4 });
  const python =
    "def pick(a, b):\n    # or not\n    if a and b:\n        return 1\n    elif b:\n        return 2\n";
  expect(sizeOf(new Map([["src/pick.py", python]]))).toEqual({ lines: 5, branches: 3 });
});

test("a row shows both sides of a change, and a new file has no side before", () => {
  const before = new Map([["src/a.js", "export const a = 1;\n"]]);
  const after = new Map([
    ["src/a.js", "export const a = b ? 1 : 2;\n"],
    ["src/b.js", "export const b = 1;\n"],
  ]);
  expect(sizeNumbers(before, after)).toEqual({
    files_changed: 2,
    lines_before: 1,
    lines_after: 2,
    branches_before: 0,
    branches_after: 1,
  });
});
