import { expect, test } from "vitest";
import { testsOfOthers } from "./other-tests.ts";

test("a changed file belongs to the tests that mention it, also through other changed files (PRV-15)", () => {
  const tests = new Map([
    ["tests/roman.test.js", 'import { toRoman } from "../src/roman.js";'],
    ["tests/price.test.js", 'import { price } from "../src/shop/index.js";'],
  ]);
  const sources = new Map([
    ["src/roman.js", 'import { table } from "./roman-table.js";'],
    ["src/roman-table.js", "export const table = {};"],
    ["src/shop/index.js", "export const price = 1;"],
    ["src/hidden.js", "export const table = {};"],
  ]);
  expect([...testsOfOthers(tests, sources)]).toEqual([
    ["src/roman.js", ["tests/price.test.js"]],
    ["src/roman-table.js", ["tests/price.test.js"]],
    ["src/shop/index.js", ["tests/roman.test.js"]],
    // Perhaps by a computed name.
    ["src/hidden.js", []],
  ]);
});

test("a test that names no changed file concerns those that nobody names (PRV-15)", () => {
  const tests = new Map([["tests/all.test.js", 'import { all } from "../src/barrel.js";']]);
  expect([...testsOfOthers(tests, new Map([["src/roman.js", ""]]))]).toEqual([["src/roman.js", []]]);
});
