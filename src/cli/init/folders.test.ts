import { expect, test } from "vitest";
import { foldersOf } from "./folders.ts";

const table: readonly (readonly [
  name: string,
  files: readonly string[],
  languages: readonly string[],
  sources: readonly string[],
  tests: readonly string[],
])[] = [
  ["nothing yet", [], [], [], []],
  ["src alone, which is the default", ["src/a.ts", "test/a.test.ts"], ["TypeScript"], [], []],
  ["lib and app", ["lib/a.js", "app/b.js"], ["JavaScript"], ["lib/", "app/"], []],
  [
    "a workspace",
    ["package.json", "packages/a/package.json", "packages/a/src/a.js", "packages/a/test/help.js"].concat([
      "packages/b/package.json",
      "packages/b/src/b.js",
      "packages/b/lib/c.js",
    ]),
    ["JavaScript"],
    ["packages/*/src/", "packages/*/lib/"],
    ["packages/*/test/"],
  ],
  [
    "one package below a source folder of its own",
    ["src/a.js", "web/package.json", "web/src/b.js"],
    ["JavaScript"],
    ["src/", "web/src/"],
    [],
  ],
  [
    "packages of fixtures are none",
    ["src/a.js", "test/fixtures/x/package.json", "test/fixtures/x/src/b.js"],
    [],
    [],
    [],
  ],
  [
    "packages with their modules and tests beside package.json (fault R11)",
    ["package.json", "packages/a/package.json", "packages/a/index.js", "packages/a/test.js"].concat([
      "packages/b/package.json",
      "packages/b/index.js",
      "packages/b/test.js",
    ]),
    ["JavaScript"],
    ["packages/*/*.{js,jsx,mjs,cjs,ts,tsx}"],
    ["packages/*/test.js"],
  ],
  ["a package of Python", ["shop/__init__.py", "tests/__init__.py"], ["Python"], ["shop/"], []],
  ["Go", ["go.mod", "a.go", "cmd/b.go"], ["Go"], ["**/*.go"], []],
  ["source at the top", ["index.js", "routes/a.js"], ["JavaScript"], ["**/*.{js,jsx,mjs,cjs}"], []],
  ["both at the top", ["a.ts", "b.js"], ["TypeScript", "JavaScript"], ["**/*.{js,jsx,mjs,cjs,ts,tsx}"], []],
  ["scripts of Python at the top", ["shop.py", "test_shop.py"], ["Python"], ["**/*.py"], []],
  ["tests and configuration alone", ["vitest.config.ts", "test/a.test.ts"], ["TypeScript"], [], []],
];

test.each(table)("%s", (_name, files, languages, sources, tests) => {
  expect(foldersOf(files, languages)).toEqual({ sources, tests });
});
