import { expect, test } from "vitest";
import { foldersOf } from "./folders.ts";
import { namedSources } from "./root-modules.ts";

type Row = readonly [
  name: string,
  files: readonly string[],
  languages: readonly string[],
  sources: readonly string[],
  tests: readonly string[],
  named?: readonly string[],
];

const table: readonly Row[] = [
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
  ["a crate whose library stands at the root (rust-fnv)", ["Cargo.toml", "lib.rs"], ["Rust"], ["*.rs"], []],
  [
    "a crate with its build script at the root",
    ["Cargo.toml", "build.rs", "lib.rs", "hash.rs", "tests/a.rs"],
    ["Rust"],
    ["lib.rs", "hash.rs"],
    [],
  ],
  ["a crate of the usual shape", ["Cargo.toml", "build.rs", "src/lib.rs"], ["Rust"], [], []],
  [
    "crates of a workspace with their libraries beside their manifests",
    ["Cargo.toml", "a/Cargo.toml", "a/lib.rs", "b/Cargo.toml", "b/src/lib.rs"],
    ["Rust"],
    ["b/src/", "a/*.rs"],
    [],
  ],
  [
    "a library in a folder of another name",
    ["Cargo.toml", "rust/lib.rs", "rust/a.rs"],
    ["Rust"],
    ["rust/"],
    [],
    ["rust/lib.rs"],
  ],
  [
    "an index beside lib",
    ["index.js", "lib/a.js"],
    ["JavaScript"],
    ["lib/", "*.{js,jsx,mjs,cjs,ts,tsx}"],
    [],
  ],
  [
    "an index beside lib and tools",
    ["index.js", "eslint.config.js", ".eslintrc.js", "Gruntfile.js", "test.js", "lib/a.js", "bin/run.js"],
    ["JavaScript"],
    ["lib/", "bin/", "index.js"],
    ["test.js"],
    ["bin/run.js", "index.js", "dist/a.js"],
  ],
  [
    "packages with an index beside lib",
    [
      "p/a/package.json",
      "p/a/index.js",
      "p/a/lib/a.js",
      "p/b/package.json",
      "p/b/index.js",
      "p/b/x.config.js",
    ],
    ["JavaScript"],
    ["p/*/lib/", "p/*/*.{js,jsx,mjs,cjs,ts,tsx}"],
    [],
  ],
  [
    "many modules beside a package's configuration",
    ["lib/a.js", "b.js", "c.js", "d.js", "e.js", "f.js", "g.js", "vitest.root.mjs"],
    ["JavaScript"],
    ["lib/", "*.{js,jsx,mjs,cjs,ts,tsx}"],
    [],
  ],
  [
    "a module of Python beside a package and its tools",
    [
      "shop.py",
      "setup.py",
      "conftest.py",
      "noxfile.py",
      "cart/__init__.py",
      "docs/__init__.py",
      "test_shop.py",
    ],
    ["Python"],
    ["cart/", "shop.py"],
    [],
  ],
  [
    "a module of Python beside tests",
    ["shop.py", "setup.py", "tests/__init__.py"],
    ["Python"],
    ["**/*.py"],
    [],
  ],
  [
    "Go beside scripts in src",
    ["go.mod", "a.go", "a_test.go", "src/a.ts"],
    ["TypeScript", "Go"],
    ["src/", "**/*.go"],
    [],
  ],
  ["Go in src", ["go.mod", "src/a.go", "b_test.go"], ["Go"], [], []],
  ["tests and configuration alone", ["vitest.config.ts", "test/a.test.ts"], ["TypeScript"], [], []],
];

const rows = table.map(([name, files, languages, sources, tests, named]) => ({
  name,
  files,
  languages,
  sources,
  tests,
  named,
}));

test.each(rows)("$name", ({ files, languages, sources, tests, named }) => {
  expect(foldersOf(files, languages, named)).toEqual({ sources, tests });
});

test("manifests name source files in unusual places", () => {
  expect(
    namedSources(
      "Cargo.toml",
      '[package]\npath = "no.rs"\n[lib]\nname = "a"\npath = "rust/lib.rs"\n[[bin]]\npath = "./b.rs"\n[[test]]\npath = "t.rs"\n',
    ),
  ).toEqual(["rust/lib.rs", "b.rs"]);
  expect(
    namedSources(
      "package.json",
      JSON.stringify({ main: "./lib/a.js", exports: { ".": { import: "./m.mjs" } }, bin: { a: "bin/a.js" } }),
    ),
  ).toEqual(["lib/a.js", "m.mjs", "bin/a.js"]);
  for (const text of ["{", "null", "[]", '"a"']) expect(namedSources("package.json", text)).toEqual([]);
});
