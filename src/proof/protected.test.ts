import { beforeAll, expect, test } from "vitest";
import { failedChecks } from "../../test/support/failed-checks.ts";
import { proofProject, rules, type ProofProject } from "../../test/proof-project.ts";
import { inCi, verifies, verifiesInCi } from "../../test/verifies.ts";
import { projectAt } from "./project/project.ts";
import type { PathRules } from "../source/paths.ts";
import { loadedByTests } from "./loaded-by-tests.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const script = (line: string) =>
  `{ "type": "module", "scripts": { "test": "${line}" }, "devDependencies": {} }\n`;
const honest = { "src/add.js": "export const add = (a, b) => a + b;\n" };
const settings = { runner: "node:test", paths: rules };
let project: ProofProject;
let red: string;
let proof: Awaited<ReturnType<ProofProject["red"]>>;

beforeAll(async () => {
  project = await proofProject({
    "package.json": script("node --import ./src/before.js --test"),
    "package-lock.json": "{}\n",
    "mettle.yaml": "runner: node:test\n",
    "conftest.py": "",
    ".mocharc.json": "{}\n",
    "data/prices.json": "[3]\n",
    "src/before.js": "globalThis.before = true;\n",
    "src/old.js": "export const old = () => 1;\n",
    "src/testing/same.js":
      'import assert from "node:assert/strict";\nexport const assertSame = (one, other) => assert.equal(one, other);\n',
    "tests/__snapshots__/old.snap": "1\n",
    "tests/old.test.js": `${imports}import { old } from "../src/old.js";\nimport { assertSame } from "../src/testing/same.js";\ntest("old works", () => assertSame(old(), 1));\n`,
  });
  red = await project.commitOn(project.base, {
    "tests/add.test.js": `${imports}import { readFileSync } from "node:fs";
import { add } from "../src/add.js";
import { assertSame } from "../src/testing/same.js";
const [sum] = JSON.parse(readFileSync(new URL("../data/prices.json", import.meta.url), "utf8"));
test("FR1 adds", () => assertSame(add(1, 2), sum));
`,
    "tests/fixtures/numbers.json": "[1]\n",
  });
  proof = await project.red(red, { settings, planned: ["src/add.js"] });
});

const kinds: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "a test": ["tests/add.test.js", `${imports}test("FR1 adds", () => assert.ok(1));\n`],
  "a fixture": ["tests/fixtures/numbers.json", "[2]\n"],
  "a file that a test reads by its path": ["data/prices.json", "[4]\n"],
  "a snapshot": ["tests/__snapshots__/old.snap", "2\n"],
  "a runner's configuration": [".mocharc.json", '{ "grep": "none" }\n'],
  "a set-up file": ["src/before.js", "process.exit(0);\n"],
  "conftest.py": ["conftest.py", "collect_ignore = []\n"],
  "the lockfile": ["package-lock.json", '{ "name": "a" }\n'],
  "the test part of package.json": ["package.json", script("true")],
  "mettle.yaml": ["mettle.yaml", "runner: vitest\n"],
  "a helper beside the source that only tests load": [
    "src/testing/same.js",
    "export const assertSame = () => {};\n",
  ],
};

async function greenWith(files: Record<string, string | null>) {
  const { frozen, required } = proof;
  const head = await project.commitOn(red, files);
  return (await project.green({ settings, red, head, required, frozen })).verdict;
}

verifies("CORE-27", "RED freezes each kind of file that decides its tests, by its content", async () => {
  expect(failedChecks(proof.verdict)).toEqual([]);
  expect(Object.keys(proof.frozen).toSorted()).toEqual(
    [...Object.values(kinds).map(([path]) => path), "tests/old.test.js"].toSorted(),
  );
  expect(Object.values(proof.frozen).every((hash) => /^sha256:[0-9a-f]{64}$/u.test(hash))).toBe(true);
  const [path, text] = kinds["a helper beside the source that only tests load"] ?? ["", ""];
  const wrong = "export const add = () => 0;\n";
  expect(failedChecks(await greenWith({ "src/add.js": wrong, [path]: text }))).toEqual([
    `fail frozen: these files are read-only in GREEN, restore them: changed ${path} (it belongs to the tests)`,
    expect.stringMatching(/^fail required: .*1 failed: tests\/add\.test\.js::FR1 adds/u),
  ]);
});

verifiesInCi(
  "CORE-27",
  "GREEN refuses a change of each kind, and names its path",
  async () => {
    for (const [kind, [path, text]] of Object.entries(kinds)) {
      const verdict = await greenWith({ ...honest, [path]: text });
      expect([kind, verdict.verdict, verdict.checks.find(({ name }) => name === "frozen")?.reason]).toEqual([
        kind,
        "fail",
        expect.stringMatching(
          new RegExp(
            `restore them: changed ${path.replaceAll(".", "\\.")}( \\(it belongs to the tests\\))?$`,
          ),
        ),
      ]);
    }
  },
  120_000,
);

inCi("the unit under test, and a module that old tests load, may change", async () => {
  const better = "export function old() {\n  return 1;\n}\n";
  expect(failedChecks(await greenWith({ ...honest, "src/old.js": better }))).toEqual([]);
});

async function loadedIn(
  files: Record<string, string | null>,
  planned: readonly string[] = [],
  own: PathRules = rules,
): Promise<readonly string[]> {
  const commit = await project.commitOn(project.base, files);
  const { repository } = project;
  return loadedByTests({ repository, project: await projectAt(repository, commit), rules: own, planned });
}

test("a helper that other source, a package or a plan uses is source, and so is one with a test of its own", async () => {
  const helper = "src/testing/same.js";
  expect(await loadedIn({})).toEqual([helper]);
  expect(await loadedIn({}, [helper])).toEqual([]);
  expect(await loadedIn({ "src/index.js": 'export * from "./testing/same.js";\n' })).toEqual([]);
  expect(await loadedIn({ "src/index.js": 'export * from "#testing/same";\n' })).toEqual([]);
  expect(await loadedIn({ "package.json": '{ "exports": { "./same": "./src/testing/same.js" } }' })).toEqual(
    [],
  );
  const own = `${imports}import { assertSame } from "../src/testing/same.js";\ntest("is", () => assertSame(1, 1));\n`;
  expect(await loadedIn({ "tests/same.test.js": own })).toEqual([]);
  expect(await loadedIn({ "tests/assertions.test.js": own })).toEqual([]);
  // Its user is a helper, too.
  expect(
    await loadedIn({
      "src/testing/all.js": 'export * from "./same.js";\n',
      "tests/more.test.js": `${own}import "../src/testing/all.js";\nimport "../src/later.js";\n`,
    }),
  ).toEqual([helper, "src/testing/all.js"]);
});

test("outside of the folders of source, data and what resembles a helper belong to the tests that alone load them", async () => {
  const test = (name: string) =>
    `${imports}import "../src/old.js";\nimport "../${name}";\ntest("works", () => assert.ok(1));\n`;
  const files = {
    "src/testing/same.js": null,
    "server/cart.js": "export const cart = [];\n",
    "server/equal.js": 'import assert from "node:assert";\nexport const equal = assert.equal;\n',
    "server/support/list.js": "export const list = [];\n",
    "tests/old.test.js": `${test("server/cart.js")}${test("server/equal.js")}${test("server/support/list.js")}`,
    "tests/data.test.js": `${imports}test("reads", () => assert.ok("../data/prices.json"));\n`,
  };
  const open = { ...rules, rest: { configuration: [] } };
  const belong = ["data/prices.json", "server/equal.js", "server/support/list.js"];
  expect((await loadedIn(files, [], open)).toSorted()).toEqual(belong);
  const users = {
    "server/main.js": 'import "./support/list.js";\nreadFileSync("data/prices.json");\n',
  };
  expect(await loadedIn({ ...files, ...users }, [], open)).toEqual(["server/equal.js"]);
  expect(await loadedIn({ ...files, ...users }, ["server/equal.js"], open)).toEqual([]);
});
