import { expect, test } from "vitest";
import { frozenAttempt, type FrozenPaths } from "./frozen-attempt.ts";

const held: FrozenPaths = {
  roots: ["/s/w/coder"],
  frozen: { "test/a.test.js": "1", "spec/deep/b.js": "2", "package.json": "3" },
  rules: { tests: ["test", "spec"], source: ["src"] },
};

test.each([
  ["EROFS: read-only file system, open '/s/w/coder/test/a.test.js'", "test/a.test.js"],
  ["EROFS: read-only file system, open '/s/w/coder/test/new one.js'", "test/new one.js"],
  ["EROFS: read-only file system, mkdir '/s/w/coder/test/more'", "test/more"],
  ["EBUSY: resource busy or locked, rmdir '/s/w/coder/spec/deep'", "spec/deep"],
  ["EBUSY: resource busy or locked, rename '/s/w/coder/spec' -> '/s/w/coder/old'", "spec"],
  [
    "EXDEV: cross-device link not permitted, rename '/s/w/coder/src/x.js' -> '/s/w/coder/package.json'",
    "package.json",
  ],
  ["OSError: [Errno 30] Read-only file system: 'test/a.test.js'", "test/a.test.js"],
  ["sh: 1: cannot create ./test/a.test.js: Read-only file system", "test/a.test.js"],
])("a program that gave up at %s wanted to change %s", (why, path) => {
  expect(frozenAttempt(`exit code 1: ${why}`, held)).toBe(path);
});

test.each([
  "EROFS: read-only file system, open '/usr/lib/test/a.test.js'",
  "EROFS: read-only file system, open '/s/w/other/.git/config'",
  "ENOENT: no such file or directory, open '/s/w/coder/test/a.test.js'",
  "Error: test/a.test.js fails",
])("%s is a crash like any other", (why) => {
  expect(frozenAttempt(`exit code 1: ${why}`, held)).toBeNull();
});
