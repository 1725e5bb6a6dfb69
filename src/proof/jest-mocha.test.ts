/** RED and GREEN end to end with jest and with mocha, each with a coder who tries to influence the proof. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import type { Verdict } from "../gates/verdict.ts";
import type { RedProof } from "./red-proof.ts";

function objections(verdict: Verdict): readonly string[] {
  return verdict.checks
    .filter((check) => check.verdict !== "pass")
    .map((check) => `${check.verdict} ${check.name}: ${check.reason}`);
}

function failed(verdict: Verdict): readonly string[] {
  return verdict.checks.filter((check) => check.verdict === "fail").map(({ name }) => name);
}

const planned = { planned: ["src/double.ts", "src/double.js"], criteria: ["FR1", "FR2"] };

/** The two runners' reports are tested daily beside them; the complete RED and GREEN in the deep suite. */
const deep = process.env["METTLE_DEEP"] !== undefined;

describe.skipIf(!deep)("jest, TypeScript and JSX through the project's own transform", () => {
  let project: ProofProject;
  let red: string;
  let reds: RedProof;

  beforeAll(async () => {
    project = await proofProject(
      {
        "package.json": '{ "devDependencies": { "jest": "*" }, "scripts": { "test": "jest; true" } }\n',
        "jest.config.js":
          'module.exports = { transform: { "\\\\.tsx?$": "<rootDir>/tools/transform.cjs" }, testMatch: ["**/tests/**/*.test.ts?(x)"] };\n',
        "tools/transform.cjs": `const { transformSync } = require("esbuild");
exports.process = (text, file) => transformSync(text, { loader: "tsx", format: "cjs", sourcefile: file, sourcemap: "inline" });
`,
        "src/old.ts": "export const old = (): number => 1;\n",
        "tests/old.test.ts":
          'import { old } from "../src/old";\ntest("old works", () => { expect(old()).toBe(1 as number); });\n',
      },
      { modules: true },
    );
    red = await project.commitOn(project.base, {
      "tests/double.test.ts":
        'import { double } from "../src/double";\nconst two: number = 2;\ntest("FR1 doubles", () => { expect(double(two)).toBe(4); });\n',
      "tests/view.test.tsx": `/** @jsx h */
import { double } from "../src/double";
const h = (_tag: string, _props: null, child: number) => [child];
test("FR2 shows", () => { expect(<b>{double(3)}</b>).toEqual([6]); });
`,
    });
    reds = await project.red(red, planned);
  });

  test("RED passes for honest tests of a module that is only planned", () => {
    expect(objections(reds.verdict)).toEqual([]);
    expect(reds.required).toEqual(["tests/double.test.ts::FR1 doubles", "tests/view.test.tsx::FR2 shows"]);
    expect(reds.tests.map(({ id, kind, frames }) => `${id} ${kind} ${frames[0]?.split(":")[0]}`)).toEqual([
      "tests/double.test.ts::FR1 doubles not-implemented src/double.ts",
      "tests/old.test.ts::old works null undefined",
      "tests/view.test.tsx::FR2 shows not-implemented src/double.ts",
    ]);
    expect(reds.drafts.map(({ purpose, exitCode }) => `${purpose} ${exitCode}`)).toEqual([
      "baseline 0",
      "red.tests 1",
      "red.repeat 1",
      "red 0",
    ]);
    expect(reds.drafts[2]?.argv).toContain("--randomize=true");
    expect(Object.keys(reds.frozen)).toEqual(
      expect.arrayContaining(["jest.config.js", "tools/transform.cjs", "package.json"]),
    );
  });

  test("RED refuses a test that passes already and one that asserts nothing", async () => {
    const head = await project.commitOn(project.base, {
      "tests/new.test.ts":
        'import { old } from "../src/old";\ntest("FR1 is true", () => { expect(old()).toBe(1); });\ntest("FR2 is bare", () => { old(); });\n',
    });
    const { verdict } = await project.red(head, planned);
    expect(objections(verdict)).toEqual([
      expect.stringContaining("rewrite tests/new.test.ts::FR1 is true"),
      expect.stringContaining("tests/new.test.ts::FR2 is bare"),
      expect.stringContaining('"FR2 is bare" asserts nothing'),
    ]);
  });

  test("script, configuration, transform and setup file of the coder do not affect a failing test", async () => {
    const tricky = await project.commitOn(red, {
      "package.json": '{ "devDependencies": { "jest": "*" }, "scripts": { "test": "true" } }\n',
      "src/double.ts": "export const double = (n: number): number => n;\n",
      "jest.config.js":
        'module.exports = { testMatch: ["nowhere"], passWithNoTests: true, setupFilesAfterEnv: ["./src/setup.js"] };\n',
      "tools/transform.cjs": 'exports.process = () => ({ code: "test(\\"FR1 doubles\\", () => {});" });\n',
      "src/setup.js": "expect.extend({ toBe: () => ({ pass: true }) });\n",
      "babel.config.js": "process.exit(0);\n",
    });
    const { verdict, tests, drafts } = await project.green({ red, head: tricky, required: reds.required });
    expect(failed(verdict)).toEqual(["frozen", "paths", "required"]);
    expect(verdict.checks.find(({ name }) => name === "required")?.tests).toEqual(reds.required);
    expect(tests.map(({ status, kind }) => `${status} ${kind}`)).toEqual([
      "failed assertion",
      "passed null",
      "failed assertion",
    ]);
    expect(drafts.find(({ purpose }) => purpose === "green.tests")?.argv.slice(0, 2)).toEqual([
      process.execPath,
      join(project.repo.dir, "node_modules/jest/bin/jest.js"),
    ]);
  });

  test("GREEN passes for an honest implementation, and its canary held", async () => {
    const honest = await project.commitOn(red, {
      "src/double.ts": "export const double = (n: number): number => n * 2;\n",
    });
    const { verdict, drafts } = await project.green({ red, head: honest, required: reds.required });
    expect(objections(verdict)).toEqual([]);
    expect(drafts.at(-1)?.controls["canary"]).toBe("failed as it must");
  });

  test("the canary catches source that replaces the matchers", async () => {
    const head = await project.commitOn(red, {
      "src/double.ts":
        "declare const expect: any;\nexpect.extend({ toBe: () => ({ pass: true }), toEqual: () => ({ pass: true }) });\nexport const double = (_n: number): number => 0;\n",
    });
    const { verdict } = await project.green({ red, head, required: reds.required });
    expect(objections(verdict)).toEqual([
      "fail canary: a false assertion passed after these tests ran, so their matchers are replaced: tests/double.test.ts, tests/view.test.tsx",
    ]);
  });
});

describe.skipIf(!deep)("mocha, with an interface that the base's configuration names", () => {
  let project: ProofProject;
  let red: string;
  let reds: RedProof;
  const imports = 'import assert from "node:assert/strict";\n';

  beforeAll(async () => {
    project = await proofProject(
      {
        "package.json": '{ "type": "module", "scripts": { "test": "mocha; true" } }\n',
        ".mocharc.yml": "ui: tdd\nspec: tests/**/*.test.js\nrequire:\n  - ./tools/setup.js\n",
        "tools/setup.js": "globalThis.one = 1;\n",
        "src/old.js": "export const old = () => 1;\n",
        "tests/old.test.js": `${imports}import { old } from "../src/old.js";\nsuite("old", () => { test("works", () => assert.equal(old(), one)); });\n`,
      },
      { modules: true },
    );
    red = await project.commitOn(project.base, {
      "tests/double.test.js": `${imports}import { expect } from "chai";
import { double } from "../src/double.js";
test("FR1 doubles", () => { assert.equal(double(2), 4); });
test("FR2 doubles again", () => { expect(double(3)).to.equal(6); });
`,
    });
    reds = await project.red(red, planned);
  });

  test("RED passes for honest tests of a module that is only planned", () => {
    expect(objections(reds.verdict)).toEqual([]);
    expect(reds.tests.map(({ id, kind, frames }) => `${id} ${kind} ${frames[0]?.split(":")[0]}`)).toEqual([
      "tests/double.test.js::FR1 doubles not-implemented src/double.js",
      "tests/double.test.js::FR2 doubles again not-implemented src/double.js",
      "tests/old.test.js::old::works null undefined",
    ]);
    expect(reds.drafts.map(({ purpose, exitCode }) => `${purpose} ${exitCode}`)).toEqual([
      "baseline 0",
      "red.tests 1",
      "red.repeat 1",
      "red 0",
    ]);
    expect(Object.keys(reds.frozen)).toEqual(expect.arrayContaining([".mocharc.yml", "tools/setup.js"]));
  });

  test("RED refuses a test that passes already, and reports a file that does not load", async () => {
    const head = await project.commitOn(project.base, {
      "tests/new.test.js": `${imports}test("FR1 is true", () => { assert.equal(1, 1); });\n`,
      "tests/broken.test.js": `${imports}test("FR2 is broken", () => {\n`,
    });
    const { verdict } = await project.red(head, planned);
    expect(objections(verdict)).toEqual([
      expect.stringMatching(/^fail load: tests\/broken\.test\.js does not load: SyntaxError: /),
      expect.stringContaining("rewrite tests/new.test.js::FR1 is true"),
      expect.stringContaining('"FR2 is broken" asserts nothing'),
      expect.stringContaining("no new test for FR2"),
    ]);
  });

  test("script, configuration and setup file of the coder do not affect a failing test", async () => {
    const tricky = await project.commitOn(red, {
      "package.json": '{ "type": "module", "scripts": { "test": "true" }, "mocha": { "grep": "works" } }\n',
      "src/double.js": "export const double = (n) => n;\n",
      ".mocharc.yml": "ui: tdd\ndry-run: true\npass-on-failing-test-suite: true\n",
      ".mocharc.cjs": "process.exit(0);\n",
      "tools/setup.js": "process.exit(0);\n",
    });
    const { verdict, tests, drafts } = await project.green({ red, head: tricky, required: reds.required });
    expect(failed(verdict)).toEqual(["frozen", "paths", "required"]);
    expect(verdict.checks.find(({ name }) => name === "required")?.tests).toEqual(reds.required);
    expect(tests.map(({ status, kind }) => `${status} ${kind}`)).toEqual([
      "failed assertion",
      "failed assertion",
      "passed null",
    ]);
    const run = drafts.find(({ purpose }) => purpose === "green.tests");
    expect([run?.exitCode, ...(run?.argv.slice(0, 2) ?? [])]).toEqual([
      1,
      process.execPath,
      join(project.repo.dir, "node_modules/mocha/bin/mocha.js"),
    ]);
  });

  test("GREEN passes for an honest implementation, and its canary held", async () => {
    const honest = await project.commitOn(red, { "src/double.js": "export const double = (n) => n * 2;\n" });
    const { verdict, drafts } = await project.green({ red, head: honest, required: reds.required });
    expect(objections(verdict)).toEqual([]);
    expect(drafts.at(-1)?.controls["canary"]).toBe("failed as it must");
  });

  test("the canary catches source that replaces the assertions", async () => {
    const head = await project.commitOn(red, {
      "src/double.js":
        'import { Assertion } from "chai";\nimport assert from "node:assert/strict";\nassert.equal = assert.strictEqual = () => {};\nAssertion.overwriteMethod("equal", () => function () {});\nexport const double = () => 0;\n',
    });
    const { verdict } = await project.green({ red, head, required: reds.required });
    expect(objections(verdict)).toEqual([
      "fail canary: a false assertion passed after these tests ran, so their matchers are replaced: tests/double.test.js",
    ]);
  });
});
