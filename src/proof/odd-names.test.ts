/** Paths with special characters, in the repository and in Mettle's own folders, get the same verdicts as plain ones. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { samples } from "../../test/wide.ts";
import { runnersHere } from "../evidence/fixtures/run-native.ts";
import { verifiesWhen } from "../../test/verifies.ts";

interface Language {
  readonly runner: string;
  readonly config: Readonly<Record<string, string>>;
  /** Extension of test files. */
  readonly ending: string;
  readonly prefix?: string;
  test(title: string, expected: number, up: string): string;
  readonly source: (path: string, value: string) => Readonly<Record<string, string>>;
  /** Names that the language allows; default all. */
  takes?(name: string): boolean;
  /** Files of the base besides its tests, for the names of all test files. */
  more?(paths: readonly string[]): Readonly<Record<string, string>>;
}

const odd = [
  "tests/a [1]{x,y} (z)",
  "tests/-b c",
  "tests/d'e\"f",
  "tests/ü$g;h&i!j",
  "tests/o [d]{e,f} $'ü/@k=l,m",
  "tests/p%20q+r~s^t%",
  "tests/u #v",
  "tests/w?x*y",
];

const modules = (
  imports: string,
  holds: (expected: number) => string,
): Pick<Language, "config" | "ending" | "test" | "source"> => ({
  config: { "package.json": '{ "type": "module", "scripts": { "test": "true" } }\n' },
  ending: ".test.js",
  test: (title, expected, up) =>
    `${imports}import { add } from "${up}src/add.js";\ntest("${title}", () => { ${holds(expected)}; });\n`,
  source: (path, value) => ({ [`src/${path}.js`]: `export const add = (a, b) => ${value};\n` }),
});
const asserts = (expected: number) => `assert.equal(add(1, 1), ${expected})`;
const expects = (expected: number) => `expect(add(1, 1)).toBe(${expected})`;
const assertion = 'import assert from "node:assert/strict";\n';

const pythonAdd = "from src.add import add\n\n\n";
const languages: readonly Language[] = [
  { runner: "node:test", ...modules(`import test from "node:test";\n${assertion}`, asserts) },
  // vitest cannot load a file whose name contains one of these two characters.
  {
    runner: "vitest",
    takes: (name) => !/[#?]/.test(name),
    ...modules('import { test, expect } from "vitest";\n', expects),
  },
  { runner: "mocha", ...modules(`import { it as test } from "mocha";\n${assertion}`, asserts) },
  { runner: "jest", ...modules('import { test, expect } from "@jest/globals";\n', expects) },
  {
    runner: "pytest",
    config: { "pytest.ini": "[pytest]\npython_files = *_test.py *_test_new.py\n" },
    ending: "_test.py",
    test: (title, expected) =>
      `${pythonAdd}def test_${title.replace(" ", "_")}():\n    assert add(1, 1) == ${expected}\n`,
    source: (path, value) => ({ [`src/${path}.py`]: `def add(a, b):\n    return ${value}\n` }),
  },
  {
    runner: "unittest",
    // Discovery recognises modules by their file names; a file named in the script is loaded whatever its name.
    config: {
      "package.json":
        '{ "scripts": { "test": "python3 -m unittest tests/*_test*.py tests/*/*_test*.py" } }\n',
    },
    ending: "_test.py",
    test: (title, expected) =>
      `import unittest\n${pythonAdd}class Sum(unittest.TestCase):\n    def test_${title.replace(" ", "_")}(self):\n        self.assertEqual(add(1, 1), ${expected})\n`,
    source: (path, value) => ({ [`src/${path}.py`]: `def add(a, b):\n    return ${value}\n` }),
  },
  {
    runner: "go",
    config: { "go.mod": "module example.com/x\n\ngo 1.19\n" },
    ending: "_test.go",
    // go refuses other folder names, and files that begin like an option.
    takes: (name) => name.split("/").length === 2 && !name.includes("/-"),
    test: (title, expected) =>
      `package tests\n\nimport (\n\t"testing"\n\n\t"example.com/x/src/add"\n)\n\nfunc Test${title.replace(/^./, (first) => first.toUpperCase()).replace(" ", "")}(t *testing.T) {\n\tif add.Add(1, 1) != ${expected} {\n\t\tt.Fatal("it is not")\n\t}\n}\n`,
    source: (path, value) => ({
      [`src/${path}/add.go`]: `package ${path}\n\nfunc Add(a, b int) int { return ${value} }\n`,
    }),
  },
  {
    runner: "cargo",
    config: {
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "x"\nversion = "0.1.0"\n',
      "src/lib.rs": "pub mod old;\npub mod add;\n",
      "src/add.rs": "pub fn add(_a: i32, _b: i32) -> i32 { todo!() }\n",
    },
    ending: ".rs",
    // A target has a crate's name, whatever its file name. New files exist already, and are empty.
    more: (paths) => ({
      ...Object.fromEntries(paths.map((path) => [path.replace(/\.rs$/, "_new.rs"), ""])),
      "Cargo.toml": `[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n${paths
        .flatMap((path) => [path, path.replace(/\.rs$/, "_new.rs")])
        .map((path, at) => `[[test]]\nname = "t${at}"\npath = ${JSON.stringify(path)}\n`)
        .join("")}`,
    }),
    test: (title, expected) =>
      `use x::add::add;\n\n#[test]\nfn ${title.replace(" ", "_")}() { assert_eq!(add(1, 1), ${expected}); }\n`,
    source: (path, value) => ({ [`src/${path}.rs`]: `pub fn add(a: i32, b: i32) -> i32 { ${value} }\n` }),
  },
];

let project: ProofProject | null = null;

const here = await runnersHere();
for (const one of samples(languages))
  verifiesWhen(
    here.has(one.runner),
    `there is no ${one.runner}`,
    `PRV-05@${one.runner}`,
    `${one.runner}: odd names of files and folders, Mettle's own too, give the verdicts of plain ones`,
    { tags: "ci", timeout: 120_000 },
    async () => {
      const names = odd.filter((name) => one.takes?.(name) ?? true);
      const files = (make: (at: number) => string) =>
        Object.fromEntries(
          names.map((name, at) => {
            const up = name.split("/").length > 2 ? "../../src" : "../src";
            return [`${name}${one.ending}`, make(at).replaceAll("../src", up)];
          }),
        );
      const old = files((at) =>
        one
          .test(`old ${at}`, 2, "../")
          .replaceAll(/src(.)add/g, "src$1old")
          .replace(/\badd\.Add/, "old.Add")
          .replace("x::add::", "x::old::"),
      );
      project = await proofProject(
        { ...one.config, ...one.more?.(Object.keys(old)), ...old, ...one.source("old", "a + b") },
        { modules: true },
      );
      const own = join(project.ports.worktrees, "m [n]{o,p} #$'\"ü");
      await mkdir(own, { recursive: true });
      const ports = { ...project.ports, worktrees: own };
      const settings = { runner: one.runner, paths: { tests: ["tests/"], source: ["src/"] } };
      const fresh = Object.fromEntries(
        Object.entries(files((at) => one.test(`new ${at}`, 2, "../"))).map(([path, text]) => [
          one.runner === "go"
            ? path.replace("_test.go", "_new_test.go")
            : path.replace(one.ending, `_new${one.ending}`),
          text,
        ]),
      );
      const head = await project.commitOn(project.base, fresh);
      const planned = Object.keys(one.source("add", ""));
      const red = await project.red(head, { ports, settings, planned });
      expect(red.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
      expect(red.required).toHaveLength(names.length);
      const green = async (value: string, before = "a + b") => {
        const commit = await project?.commitOn(head, {
          ...one.source("add", value),
          ...one.source("old", before),
        });
        return project?.green({ ports, settings, red: head, head: commit ?? "", required: red.required });
      };
      const honest = await green("a + b");
      expect(honest?.verdict.checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
      const broken = await green("a + b", "a - b");
      expect(broken?.verdict.outcome).toBe("fail");
      const lost = broken?.verdict.checks.find(({ name }) => name === "regressions")?.tests;
      expect(lost).toHaveLength(names.length);
    },
  );
