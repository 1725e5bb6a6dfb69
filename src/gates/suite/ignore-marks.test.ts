import { expect, test } from "vitest";
import { addedIgnoreMarks } from "./ignore-marks.ts";

const marks = (path: string, after: string, before = "") =>
  addedIgnoreMarks(path, before, after).map(({ line, mark }) => `${line} ${mark}`);

test.each([
  ["a.js", "const a = 1;\n/* c8 ignore start */\n", "2 c8 ignore"],
  ["a.ts", "// @ts-nocheck\n", "1 @ts-nocheck"],
  ["a.tsx", "x(); // eslint-disable-line no-undef\n", "1 eslint-disable"],
  ["a.py", "def f():  # pragma: no cover\n", "1 pragma: no cover"],
  ["a.py", "x = f()  # type: ignore[attr]\n", "1 type: ignore"],
  ["a.go", "f() //nolint:errcheck\n", "1 nolint"],
  ["a.rs", "#[allow(dead_code)]\n", "1 #[allow(dead_code)]"],
])("%s: %s", (path, text, found) => {
  expect(marks(path, text)).toEqual([found]);
});

test.each([
  ["a.js", "// Prices below zero are ignored by the shop.\nconst text = 'c8 ignore';\n"],
  ["a.py", "# noqa_rules are read elsewhere\nname = 'type: ignore'\n"],
  ["a.md", "/* c8 ignore next */\n"],
])("%s has none: %s", (path, text) => {
  expect(marks(path, text)).toEqual([]);
});

test("a mark that was there already is not added", () => {
  expect(marks("a.js", "/* c8 ignore next */\nf();\n", "/* c8 ignore next */\n")).toEqual([]);
});
