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
