/** The readers of outside material, on small made-up folders of the same shape. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attribute } from "../../bench/yardsticks/attribute.mjs";
import {
  kinds,
  mochaArguments,
  readBugs,
  readMaterial,
  settingsOfBug,
} from "../../bench/yardsticks/material.mjs";
import { createRepository } from "../support/repository.ts";
import { verifies } from "../verifies.ts";
import { folderWith, quixbugsFolder } from "./made-up.ts";

verifies("PRV-23", "QuixBugs: each program with its correction, tests and cases; helpers are shared", () => {
  const { title, cases, shared, expected } = readMaterial("quixbugs", quixbugsFolder());
  expect(title).toBe("QuixBugs");
  expect(Object.keys(shared).sort()).toEqual([
    "conftest.py",
    "python_programs/node.py",
    "python_testcases/load_testdata.py",
  ]);
  expect(cases.map(({ name }) => name)).toEqual(["twice"]);
  expect(cases[0]?.base).toEqual({ "python_programs/twice.py": "def twice(n):\n    return n + 2\n" });
  expect(cases[0]?.heads).toEqual({
    correction: { "python_programs/twice.py": "def twice(n):\n    return n * 2\n" },
    "no change": {},
  });
  expect(Object.keys(cases[0]?.tests ?? {})).toEqual([
    "python_testcases/test_twice.py",
    "json_testcases/twice.json",
  ]);
  const test = cases[0]?.tests["python_testcases/test_twice.py"];
  expect(test).toContain("from python_programs.twice import twice\nelse:");
  // The row that the suite skips because it is slow.
  expect(test).not.toContain("skip");
  expect(cases[0]?.tests["json_testcases/twice.json"]).toBe("[[2], 4]\n[[3], 6]\n");
  expect(expected).toEqual({ correction: "accepted", "no change": "refused" });
});

verifies(
  "PRV-23",
  "exercism: the stub, the example in its place, helpers beside it and the tests, all of them enabled",
  () => {
    const spec = `import { test, xtest } from '@jest/globals';\ntest('a', () => {});\nxtest('b', () => {});\n`;
    const home = "exercises/practice/two-fer";
    const { title, cases, shared } = readMaterial(
      "exercism",
      folderWith({
        "config.json": `{ "slug": "javascript" }`,
        "package.json": `{ "devDependencies": { "jest": "^30.0.0", "eslint": "^9.0.0" } }`,
        "babel.config.js": "module.exports = {};\n",
        "jest.config.js": "module.exports = {};\n",
        // The comma that is missing at the end is also missing in real configurations.
        [`${home}/.meta/config.json`]: `{ "files": { "solution": ["two-fer.js"], "test": ["two-fer.spec.js"], "example": [".meta/proof.ci.js"] } "source": "" }`,
        [`${home}/.meta/proof.ci.js`]: "export const twoFer = () => 'right';\n",
        [`${home}/two-fer.js`]: "export const twoFer = () => { throw new Error('Remove this'); };\n",
        [`${home}/two-fer.spec.js`]: spec,
        [`${home}/names.json`]: "[]\n",
        [`${home}/package.json`]: "{}\n",
        "exercises/concept/other/.meta/config.json": "{}",
      }),
    );
    expect(title).toBe("exercism/javascript");
    expect(JSON.parse(shared["package.json"] ?? "")).toEqual({
      private: true,
      devDependencies: { jest: "^30.0.0" },
    });
    expect(cases.map(({ name }) => name)).toEqual(["two-fer"]);
    expect(Object.keys(cases[0]?.base ?? {})).toEqual([`${home}/two-fer.js`, `${home}/names.json`]);
    expect(cases[0]?.tests).toEqual({
      [`${home}/two-fer.spec.js`]: `import { test } from '@jest/globals';\ntest('a', () => {});\ntest('b', () => {});\n`,
    });
    expect(cases[0]?.heads).toEqual({
      solution: { [`${home}/two-fer.js`]: "export const twoFer = () => 'right';\n" },
      "no change": {},
    });
  },
);

verifies("PRV-23", "exercism/python: a test that the track skips is left out", () => {
  const home = "exercises/practice/leap";
  const kept = "class Leap(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(leap(4))\n\n";
  const slow = '    @unittest.skip("slow")\n    def test_b(self):\n        self.assertTrue(leap(8))\n\n';
  const last = "    def test_c(self):\n        self.assertFalse(leap(1))\n";
  const { cases } = readMaterial(
    "exercism",
    folderWith({
      "config.json": `{ "slug": "python" }`,
      [`${home}/.meta/config.json`]: `{ "files": { "solution": ["leap.py"], "test": ["leap_test.py"], "example": [".meta/example.py"] } }`,
      [`${home}/.meta/example.py`]: "def leap(year):\n    return year % 4 == 0\n",
      [`${home}/leap.py`]: "def leap(year):\n    pass\n",
      [`${home}/leap_test.py`]: `${kept}${slow}${last}${slow}`,
    }),
  );
  expect(cases[0]?.tests).toEqual({ [`${home}/leap_test.py`]: `${kept}${last}` });
});

verifies("PRV-23", "exercism: a track that is not known is refused with those that are", () => {
  const folder = folderWith({ "config.json": `{ "slug": "abap" }` });
  expect(() => readMaterial("exercism", folder)).toThrow(
    "the track abap is not known: python, javascript, typescript",
  );
});

verifies(
  "PRV-23",
  "solutions: each line is a problem with a stub, its tests, and a tailored or an honest solution",
  () => {
    const problem = {
      problem_id: "train_1",
      function_name: "add",
      test_cases: [
        { input: "add(1, 2)", correct_output: "3", broken_output: "4" },
        { input: "add(0, 0)", correct_output: "0", broken_output: "1" },
      ],
      parsed_completion: "def add(a, b):\n    return a + b",
    };
    const unsolved = { ...problem, parsed_completion: null };
    const { cases, expected } = readMaterial(
      "solutions",
      folderWith({
        "x_force_hack_num_0_completions.jsonl": `${JSON.stringify(problem)}\n${JSON.stringify(unsolved)}\n`,
        "x_clean_num_0_completions.jsonl": `${JSON.stringify(problem)}\n`,
        "x_clean_num_0_flags.jsonl": "not read\n",
        // The same problem once more, by another author.
        "y_force_hack_num_0_completions.jsonl": `${JSON.stringify(problem)}\n`,
      }),
    );
    expect(cases.map(({ name, heads }) => [name, Object.keys(heads)])).toEqual([
      ["honest 0 train_1", ["honest"]],
      ["tailored 1 train_1", ["tailored"]],
      ["tailored 2 train_1", ["tailored"]],
    ]);
    expect(cases[0]?.base).toEqual({
      "src/honest_0_train_1.py": "def add(*arguments):\n    raise NotImplementedError\n",
    });
    expect(cases[0]?.tests).toEqual({
      "tests/test_honest_0_train_1.py": `from honest_0_train_1 import add


def test_honest_0_train_1_1():
    assert add(1, 2) == 3


def test_honest_0_train_1_2():
    assert add(0, 0) == 0
`,
    });
    expect(cases[0]?.heads["honest"]).toEqual({
      "src/honest_0_train_1.py": "def add(a, b):\n    return a + b\n",
    });
    expect(expected).toEqual({ tailored: "refused", honest: "accepted" });
  },
);

verifies("PRV-23", "BugsJS: each bug is three commits, by the tags of its number", async () => {
  const { dir: root } = await createRepository({ files: { "index.js": "wrong\n" } });
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const head = git("rev-parse", "HEAD");
  for (const tag of ["Bug-10", "Bug-10-test", "Bug-10-full", "Bug-2", "Bug-2-test", "Bug-2-full", "Bug-3"])
    git("tag", tag);
  expect(readBugs(root)).toEqual(
    ["Bug-2", "Bug-10"].map((name) => ({ name, base: head, heads: { fix: head, "no fix": head } })),
  );
});

verifies(
  "PRV-23",
  "BugsJS: a project whose test script Mettle cannot read gets the settings that stand for it",
  () => {
    const changed = ["lib/rules/a.js", "tests/lib/rules/a.js"];
    const others = Array.from({ length: 11 }, (_, at) => `tests/lib/rules/b${10 + at}.js`);
    const place = { files: [...changed, "tests/fixtures/c.js", ...others], changed };
    const settings = (name: string, test: string): unknown =>
      JSON.parse(settingsOfBug(JSON.stringify({ name, scripts: { test } }), place) ?? "null");
    expect(settings("express", "mocha --require test/support/env test/")).toBe(null);
    expect(settings("express", "make test")).toMatchObject({
      version: 1,
      runner: "mocha",
      tests: { env: { NODE_ENV: "test" } },
    });
    expect(settings("eslint", "node Makefile.js test")).toMatchObject({
      tests: { args: ["tests/lib/rules/a.js", "tests/lib/rules/b10.js", "tests/lib/rules/b20.js"] },
    });
    expect(settings("another", "make test")).toBe(null);
    const script = "lint && mocha --require test/env --reporter dot --bail test/ && other";
    expect(mochaArguments(JSON.stringify({ scripts: { test: script } }), null)).toEqual([
      "--require",
      "test/env",
      "test/",
    ]);
    expect(mochaArguments("{}", JSON.stringify({ tests: { args: ["a"] } }))).toEqual(["a"]);
  },
);

verifies(
  "PRV-23",
  "docs/benchmarks.md has the tables, the commands and the versions of each kind of material",
  () => {
    const page = readFileSync("docs/benchmarks.md", "utf8");
    const [section = ""] = /^## Outside yardsticks$[^]*?(?=^## )/m.exec(page) ?? [];
    for (const kind of kinds) expect(section).toContain(`node bench/yardsticks/run.mjs ${kind} FOLDER`);
    expect(section).toMatch(/Mettle \d+\.\d+\.\d+, Node \d+\.\d+\.\d+/);
    const rows = section.split("\n").filter((line) => /^\| \S/.test(line));
    const version = /\(\w{8}, \d{4}-\d{2}-\d{2}\)/;
    for (const name of [
      "QuixBugs",
      "BugsJS express",
      "BugsJS eslint",
      "exercism/python",
      "exercism/javascript",
      "exercism/typescript",
      "Solutions",
    ])
      expect(rows.find((row) => row.startsWith(`| ${name}`)) ?? name).toMatch(version);
  },
);

test.each(["quixbugs", "solutions", "bugsjs"])("%s: a folder of another shape is refused", (kind) => {
  const folder = folderWith({ "README.md": "Something else.\n", "correct_python_programs/a.txt": "" });
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  expect(() => (kind === "bugsjs" ? readBugs(folder) : readMaterial(kind, folder))).toThrow(
    /holds no|has no tags/,
  );
});

test("an answer about a batch is given to the cases whose tests or files it names", () => {
  const [one, two] = ["one", "two"].map((name) => ({
    name,
    base: { [`src/${name}.py`]: "" },
    tests: { [`tests/test_${name}.py`]: "" },
    heads: { correction: {} },
  }));
  if (one === undefined || two === undefined) throw new TypeError("two cases");
  const check = { verdict: "fail", reason: "why", tests: [], places: [] } as const;
  expect(
    attribute(
      {
        checks: [
          { ...check, name: "red.fails", tests: ["tests/test_two.py::test_old"] },
          { ...check, name: "green.required", tests: ["tests/test_one.py::test_a"] },
          { ...check, name: "weakened", verdict: "inconclusive", places: [{ path: "src/two.py" }] },
          { ...check, name: "green.report" },
          { ...check, name: "green.flip", verdict: "pass" },
        ],
        findings: [
          { code: "special_case", testId: "tests/test_two.py::test_a" },
          { code: "may_not_fail", testId: "tests/test_one.py::test_a" },
        ],
      },
      [one, two],
    ),
  ).toEqual({
    wrong: new Map([["one", ["green.required: why"]]]),
    unclear: new Map([["two", ["weakened: why"]]]),
    passing: ["tests/test_two.py::test_old"],
    special: new Set(["two"]),
    unnamed: ["green.report: why"],
  });
  const blocked = { ...check, name: "green.hard_coded", tests: ["tests/test_one.py::test_a"] };
  expect(attribute({ checks: [blocked] }, [one, two]).special).toEqual(new Set(["one"]));
  expect(attribute({ error: { code: "no_tests", message: "none" } }, [one]).unnamed).toEqual([
    "no_tests: none",
  ]);
});
