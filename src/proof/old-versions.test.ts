/** Old versions of runners end to end, with a configuration that names tests unusually (PRV-25, faults R3, E8, E25). */
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proofProject } from "../../test/proof-project.ts";
import { wide } from "../../test/wide.ts";
import { modulesOf } from "../evidence/fixtures/runner-versions.ts";

const commonJs = 'const { one } = require("../src/one.js");\n';
const calls = 'test("one", () => { expect(one()).toBe(1); });\n';
const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jest: {
    "package.json": '{ "scripts": { "test": "jest" }, "devDependencies": { "jest": "*" } }',
    "jest.config.js": "module.exports = { testMatch: ['**/tests/*.check.js'] };\n",
    "src/one.js": "exports.one = () => 1;\n",
    "tests/one.check.js": `${commonJs}${calls}`,
  },
  vitest: {
    "package.json":
      '{ "type": "module", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "*" } }',
    "vitest.config.js": "export default { test: { include: ['tests/*.check.js'] } };\n",
    "src/one.js": "export const one = () => 1;\n",
    "tests/one.check.js": `import { expect, test } from "vitest";\nimport { one } from "../src/one.js";\n${calls}`,
  },
  mocha: {
    "package.json": '{ "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "*" } }',
    ".mocharc.json": '{ "spec": "tests/*.check.js" }',
    // Read before 6 instead.
    "test/mocha.opts": "--timeout 5000\ntests/*.check.js\n",
    "src/one.js": "exports.one = () => 1;\n",
    "tests/one.check.js": `${commonJs}it("one", () => { require("assert").equal(one(), 1); });\n`,
  },
};

const versions = [
  ...["26", "27", "28", "29"].map((version) => ["jest", version] as const),
  ...["1", "2", "3.0", "3.1", "3.2"].map((version) => ["vitest", version] as const),
  ...["1", "3", "5", "6", "7", "8", "9"].map((version) => ["mocha", version] as const),
];

describe.skipIf(!wide)("the base of a project passes, and a change that breaks it fails", () => {
  test.each(versions)(
    "%s %s",
    async (name, version) => {
      const modules = await modulesOf(name, version);
      const project = await proofProject(projects[name] ?? {});

      await symlink(modules, join(project.repo.dir, "node_modules"));
      const { suite } = await project.own();
      const tests = suite.report.tests.map(({ id, status }) => `${id} ${status}`);
      expect([suite.environment, suite.exitCode, tests]).toEqual([
        null,
        0,
        ["tests/one.check.js::one passed"],
      ]);
      const broken = name === "vitest" ? "export const one = () => 2;\n" : "exports.one = () => 2;\n";
      const head = await project.commitOn(project.base, { "src/one.js": broken });
      const { verdict, tests: after } = await project.final({
        head,
        required: ["tests/one.check.js::one"],
      });
      expect([verdict.verdict, after.map(({ status, kind }) => `${status} ${kind}`)]).toEqual([
        "fail",
        ["failed assertion"],
      ]);
    },
    400_000,
  );
});
