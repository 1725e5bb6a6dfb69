import { expect, test } from "vitest";
import { isOwnTest, loadedBy, looksLikeHelper, mayImport } from "./loaded-files.ts";

const paths = new Set([
  "src/testing/same.js",
  "src/old.js",
  "data/prices.json",
  "tools/helper.mjs",
  "shop/testing.py",
  "shop/old.py",
]);
const folders = new Set(["src", "shop", "tools", "data", "src/testing"]);
const files = { has: (path: string) => paths.has(path), hasFolder: (name: string) => folders.has(name) };

test("a test loads what it imports and what it names by a literal path", () => {
  const script = `import { same } from "../src/testing/same";
const { old } = require('../src/old.js');
await import("../tools/helper.mjs");
readFileSync(new URL("../data/prices.json", import.meta.url));
readFileSync("data/prices.json");`;
  expect(loadedBy("tests/a.test.js", script, files)).toEqual({
    files: ["src/old.js", "tools/helper.mjs", "data/prices.json", "src/testing/same.js"],
    lacks: false,
  });
  expect(loadedBy("tests/a.test.js", 'import { later } from "../src/later.js";', files)).toEqual({
    files: [],
    lacks: true,
  });
  const python = "from shop.testing import same\nimport shop.old\nopen('data/prices.json')\n";
  expect(loadedBy("tests/test_a.py", python, files)).toEqual({
    files: ["data/prices.json", "shop/testing.py", "shop/old.py"],
    lacks: false,
  });
  expect(loadedBy("tests/test_a.py", "from shop.later import x\nimport json\n", files).lacks).toBe(true);
  expect(loadedBy("tests/test_a.py", "import shop\nimport json\n", files).lacks).toBe(false);
});

test.each([
  ["src/testing/same.js", "export const same = 1;", true],
  ["src/same.js", 'import { expect } from "vitest";', true],
  ["src/test-utils/index.ts", "", true],
  ["shop/check.py", "import pytest\n", true],
  // A program asserts, too.
  ["src/same.js", 'import assert from "node:assert/strict";', false],
  ["src/contest.js", "export const mockery = 1;", false],
  ["src/testing/data.json", "{}", false],
])("%s with %j looks like a helper: %s", (path, text, expected) => {
  expect(looksLikeHelper(path, text)).toBe(expected);
});

test("source uses a helper by its path, an alias or a package's name", () => {
  const uses = (text: string, path = "src/cart.js") => mayImport(path, text, "src/testing/same.js");
  expect(uses('import "./testing/same.js";')).toBe(true);
  expect(uses('import "@/testing/same";')).toBe(true);
  expect(uses('import "./other/same.js";')).toBe(false);
  expect(mayImport("shop/cart.py", "from shop import testing\n", "shop/testing.py")).toBe(true);
  expect(mayImport("shop/cart.py", "from shop import cart  # testing\n", "shop/other.py")).toBe(false);
  expect(isOwnTest("tests/same.test.js", "src/testing/same.js")).toBe(true);
  expect(isOwnTest("tests/test_testing.py", "shop/testing.py")).toBe(true);
  expect(isOwnTest("tests/cart.test.js", "src/testing/same.js")).toBe(false);
});
