import { expect, test } from "vitest";
import { readOnlyRules } from "./read-only.ts";

const paths = { tests: ["test", "**/*.test.js"], source: ["src"] };
const shown = (frozen: readonly string[], files: readonly string[]) =>
  readOnlyRules({ workspace: "/w", frozen, files, paths }).map(({ type, at }) => `${type} ${at}`);

test("a folder with only tests is frozen as a whole", () => {
  const tests = ["test/a.test.js", "test/deep/b.test.js"];
  expect(shown(tests, [...tests, "src/a.js"])).toEqual(["readable /w/test"]);
});

test("a frozen file beside source is frozen alone, and its folders cannot be renamed away", () => {
  expect(
    shown(["src/one/a.test.js", "package.json"], ["src/one/a.test.js", "src/b.js", "package.json"]),
  ).toEqual([
    "writable /w/src",
    "writable /w/src/one",
    "readable /w/src/one/a.test.js",
    "readable /w/package.json",
  ]);
});

test("in a folder of tests with an unfrozen file, frozen files are protected one by one", () => {
  expect(shown(["test/a.test.js"], ["test/a.test.js", "test/free.js"])).toEqual([
    "writable /w/test",
    "readable /w/test/a.test.js",
  ]);
});

test("a frozen file that is not in the workspace needs no rule", () => {
  expect(shown(["test/gone.test.js"], ["src/a.js"])).toEqual([]);
});
