import { expect, test } from "vitest";
import { isSameForTests } from "./package-manifest.ts";

test("descriptive fields and new dependencies of a package do not affect its tests (fault E9)", () => {
  const base = { name: "a", type: "module", dependencies: { b: "^1" }, scripts: { test: "vitest" } };
  const same = (after: object) => isSameForTests(JSON.stringify(base), JSON.stringify(after, null, 2));
  expect([
    same(base),
    same({ ...base, description: "adds", keywords: ["a"] }),
    same({ ...base, dependencies: { b: "^1", c: "^2" } }),
    same({ ...base, devDependencies: { c: "^2" } }),
  ]).toEqual([true, true, true, true]);
  expect([
    same({ ...base, dependencies: { b: "^2" } }),
    same({ ...base, dependencies: {} }),
    same({ ...base, devDependencies: { jest: "^30" } }),
    same({ ...base, type: "commonjs" }),
    same({ ...base, scripts: { test: "true" } }),
    same({ ...base, jest: { setupFiles: ["./x.js"] } }),
    same({ ...base, dependencies: ["b"] }),
    isSameForTests("{", "{"),
  ]).toEqual([false, false, false, false, false, false, false, false]);
});

test("a new script that has nothing to do with tests does not affect them", () => {
  const scripts = { test: "run-p unit lint", unit: "vitest run" };
  const same = (before: object, added: object) =>
    isSameForTests(JSON.stringify({ scripts: before }), JSON.stringify({ scripts: { ...before, ...added } }));
  expect([
    same(scripts, { start: "node src/shop.js" }),
    same(scripts, { "format:check": "prettier --check ." }),
  ]).toEqual([true, true]);
  expect([
    same(scripts, { lint: "true" }), // the script of the tests starts it
    same(scripts, { pretest: "true" }),
    same(scripts, { "test:more": "node --test more" }),
    same(scripts, { vitest: "true" }),
    same(scripts, { build: "tsc" }),
    same(scripts, { unit: "true" }),
    same({ test: "run-p t:*" }, { "t:other": "true" }),
  ]).toEqual([false, false, false, false, false, false, false]);
});
