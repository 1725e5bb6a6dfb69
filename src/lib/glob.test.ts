import { expect, test } from "vitest";
import { matchesGlob } from "./glob.ts";

test("wildcards, choices and characters name paths, and folders with what is in them", () => {
  const table: readonly (readonly [glob: string, fits: readonly string[], not: readonly string[]])[] = [
    ["*.js", ["a.js", ".js", "a.js/x"], ["a/b.js", "a.jsx", "ajs"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["src/a.js", "lib/src/a.ts"]],
    ["**/test", ["test", "a/test", "a/b/test/c"], ["a/tests", "atest"]],
    ["src/**", ["src/a", "src/a/b\nc"], ["src", "srcs/a"]],
    ["a?c", ["abc", "a😀c"], ["ac", "a/c"]],
    ["*.{test,spec}.{ts,{c,m}js}", ["a.test.ts", "a.spec.mjs"], ["a.test.js", "a.ts"]],
    ["[a-c]x", ["ax", "bx"], ["dx", "-x"]],
    ["[!a]x[-_]", ["bx-", "cx_"], ["ax-", "bxx"]],
    ["{a", ["{a"], ["a"]],
    ["a(b)+.$^|c\\d*", ["a(b)+.$^|c\\d1"], ["ab.$", "abc1"]],
    ["{,x/}y", ["y", "x/y"], ["z/y"]],
    ["[]x", [], ["x", "]x"]],
    ["**a**b", ["ab", "x/a/y/b", "b/a/b"], ["ba", "a/bx"]],
  ];
  const wrong = table.flatMap(([glob, fits, not]) => [
    ...fits.filter((path) => !matchesGlob(path, glob)).map((path) => `${glob} should fit ${path}`),
    ...not.filter((path) => matchesGlob(path, glob)).map((path) => `${glob} should not fit ${path}`),
  ]);
  expect(wrong).toEqual([]);
});

test("no pattern spins (fault S10)", () => {
  const began = performance.now();
  const path = `${"a".repeat(4000)}/${"b/".repeat(50)}c`;
  for (const glob of [
    "*a".repeat(200) + "x",
    "**/".repeat(300) + "x",
    "{a,{a,aa}}".repeat(100),
    "{**a".repeat(99),
  ])
    expect(matchesGlob(path, glob)).toBe(false);
  expect(performance.now() - began).toBeLessThan(5000);
});
