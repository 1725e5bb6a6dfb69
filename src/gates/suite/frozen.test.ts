import { expect, test } from "vitest";
import { checkFrozen, isProtected } from "./frozen.ts";

const rules = { tests: ["tests/"], source: ["src/"] };

test("tests, fixtures, snapshots, configurations, setup files, lockfiles and settings are protected; source is not", () => {
  const kinds = [
    "tests/a.test.js",
    "fixtures/data.json",
    "__snapshots__/a.snap",
    "vitest.config.ts",
    "packages/one/jest.config.cjs",
    ".mocharc.yml",
    "babel.config.json",
    ".babelrc",
    "vite.config.js",
    "setup.js",
    "src/shop/__mocks__/axios.js",
    "conftest.py",
    "package-lock.json",
    "pnpm-lock.yaml",
    "package.json",
    "mettle.yaml",
    ".env",
    "tsconfig.json",
    ".mettle/templates/a.md",
  ];
  expect(kinds.filter((path) => !isProtected(path, rules, ["setup.js"]))).toEqual([]);
  expect(
    ["src/a.js", "src/config.js", "README.md", "setup.js", "src/fixtures/a.js"].filter((path) =>
      isProtected(path, rules),
    ),
  ).toEqual([]);
});

test("each kind of change is refused with the path", () => {
  const frozen = Object.fromEntries(
    [
      "tests/a.js",
      "fixtures/b.json",
      "x.snap",
      "vitest.config.ts",
      "setup.js",
      "conftest.py",
      "yarn.lock",
      "package.json",
      "mettle.yaml",
      "t.js",
    ].map((path) => [path, `hash of ${path}`]),
  );
  expect(checkFrozen({ frozen, now: frozen }).verdict).toBe("pass");
  for (const path of Object.keys(frozen)) {
    expect(checkFrozen({ frozen, now: { ...frozen, [path]: "other" } }).reason).toBe(
      `these files are read-only in GREEN, restore them: changed ${path}`,
    );
    const { [path]: gone, ...rest } = frozen;
    expect(checkFrozen({ frozen, now: rest }).reason).toContain(`deleted ${path}`);
    expect(checkFrozen({ frozen, now: { ...rest, "tests/moved.js": gone ?? "" } }).reason).toContain(
      `deleted ${path} (now tests/moved.js), added tests/moved.js`,
    );
  }
});
