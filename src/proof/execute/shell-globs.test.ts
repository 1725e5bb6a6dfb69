import { expect, test } from "vitest";
import { expandGlobs } from "./shell-globs.ts";

const paths = [
  "a.js",
  "test/a.test.js",
  "test/b.test.js",
  "test/.c.test.js",
  "test/deep/d.test.js",
  "test/e1.js",
];

test.each([
  ["test/*.test.js", ["test/a.test.js", "test/b.test.js"]],
  ["./test/*/*.js", ["test/deep/d.test.js"]],
  ["test/**/*.js", ["test/deep/d.test.js"]],
  ["test/[!b-z].test.js", ["test/a.test.js"]],
  ["test/[e][0-9].js", ["test/e1.js"]],
  ["test/?.test.js", ["test/a.test.js", "test/b.test.js"]],
  ["test/.*.js", ["test/.c.test.js"]],
  ["--glob=*.js", ["--glob=*.js"]],
  ["nowhere/*.js", ["nowhere/*.js"]],
  ["test/[a.js", ["test/[a.js"]],
  ["test", ["test"]],
])("a shell makes of %s what it finds", (word, expected) => {
  expect(expandGlobs([word], paths)).toEqual(expected);
});
