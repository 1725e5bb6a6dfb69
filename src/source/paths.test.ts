import { expect, test } from "vitest";
import { kindOf, matches, outsideSource, outsideTests } from "./paths.ts";

const rules = { tests: ["tests/", "__tests__/", "**/*.test.{ts,js}"], source: ["src"] };

test("a pattern is a file, a folder or a glob", () => {
  expect(matches("src/a/b.ts", "src/")).toBe(true);
  expect(matches("src2/a.ts", "src")).toBe(false);
  expect(matches("a.test.js", "**/*.test.{ts,js}")).toBe(true);
  expect(matches("deep/er/a.test.ts", "**/*.test.{ts,js}")).toBe(true);
  expect(matches("deep/a.test.tsx", "**/*.test.{ts,js}")).toBe(false);
  expect(matches("packages/one/src/a.ts", "packages/*/src")).toBe(true);
  expect(matches("packages/one/two/src/a.ts", "packages/*/src")).toBe(false);
  expect(matches("a.b", "a?b")).toBe(true);
  expect(matches("a+b/c", "a+b")).toBe(true);
  expect(matches("lib/x1.js", "lib/x[0-9].js")).toBe(true);
  expect(matches("lib/xa.js", "lib/x[!0-9].js")).toBe(true);
});

test("a test beside the source is a test, and fixtures count only outside of source", () => {
  expect(
    [
      "src/a.test.ts",
      "src/a.ts",
      "tests/helper.js",
      "fixtures/a.json",
      "src/fixtures/a.ts",
      "package.json",
    ].map((path) => kindOf(path, rules)),
  ).toEqual(["test", "source", "test", "fixture", "source", "other"]);
});

test("RED may change tests and fixtures, GREEN only source", () => {
  const paths = ["tests/a.js", "src/a.ts", "src/a.test.ts", "fixtures/a.json", "package.json"];
  expect(outsideTests(paths, rules)).toEqual(["src/a.ts", "package.json"]);
  expect(outsideSource(paths, rules)).toEqual([
    "tests/a.js",
    "src/a.test.ts",
    "fixtures/a.json",
    "package.json",
  ]);
});
