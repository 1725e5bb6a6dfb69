/** Test files that call a unit while they load, which throws until it is implemented (PRV-22). */
import { expect } from "vitest";
import { proofProject } from "../../../test/proof-project.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { verifiesInCi } from "../../../test/verifies.ts";

const source = `export class Squares {
  constructor() { throw new Error("Remove this line and implement the function"); }
}
export const limit = () => { throw new Error("later"); };
export const version = 1;
`;
const implemented = `export class Squares {
  constructor(count) { this.count = count; }
  get sum() { return this.count * 2; }
}
export const limit = () => 3;
export const version = 1;
`;
const body = `describe("squares", () => {
  const squares = new Squares(5);
  const most = limit();
  test("FR1 sums", () => { SAME(squares.sum, 10); });
  test("FR2 limits", () => { SAME(most, 3); });
  test("FR3 is a version", () => { SAME(version, 1); });
});
`;
const runners: Readonly<Record<string, readonly [head: string, equal: string]>> = {
  "node:test": [
    'import { describe, test } from "node:test";\nimport assert from "node:assert";\n',
    "assert.equal($1, $2)",
  ],
  vitest: ['import { describe, expect, test } from "vitest";\n', "expect($1).toBe($2)"],
};

for (const [runner, [head, equal]] of Object.entries(runners))
  verifiesInCi("PRV-22", `${runner}: they are RED where a test uses what the unit gave`, async () => {
    const project = await proofProject(
      { "package.json": '{ "type": "module" }\n', "src/squares.js": source },
      { modules: runner === "vitest" },
    );
    const tests = body.replaceAll(/SAME\((.*), (.*)\)(?=;)/gu, equal);
    const text = `${head}import { Squares, limit, version } from "../src/squares.js";\n${tests}`;
    const redCommit = await project.commitOn(project.base, { "tests/squares.test.js": text });
    const red = await project.red(redCommit, {
      planned: ["src/squares.js"],
      settings: { runner, paths: { tests: ["tests/"], source: ["src/"] } },
    });
    const id = (title: string) => `tests/squares.test.js::squares::${title}`;
    expect(failedChecks(red.verdict)).toEqual([
      expect.stringMatching(/^fail fails: tests wrong, rewrite: 1 test passes .*FR3 is a version/u),
    ]);
    expect(red.required).toEqual([id("FR1 sums"), id("FR2 limits"), id("FR3 is a version")]);
    const accepted = [id("FR3 is a version")];
    const green = await project.green({
      settings: { runner, paths: { tests: ["tests/"], source: ["src/"] } },
      red: redCommit,
      head: await project.commitOn(redCommit, { "src/squares.js": implemented }),
      required: red.required,
      accepted,
    });
    expect(failedChecks(green.verdict)).toEqual([]);
  });

const made = `describe("cipher", () => {
  const cipher = new Cipher();
  const own = {};
  test("FR1 has a key", () => { expect(cipher.key.length).toBe(3); });
  test("FR2 is wrong itself", () => { expect(own.key.length).toBe(3); });
});
`;
const forms: Readonly<Record<string, readonly [manifest: string, unit: string, head: string]>> = {
  vitest: [
    '{ "type": "module" }\n',
    "export class Cipher {}\n",
    'import { describe, expect, test } from "vitest";\nimport { Cipher } from "../src/cipher.js";\n',
  ],
  jest: [
    '{ "jest": { "testEnvironment": "node" } }\n',
    "exports.Cipher = class Cipher {};\n",
    'const { Cipher } = require("../src/cipher.js");\n',
  ],
};

for (const [runner, [manifest, unit, head]] of Object.entries(forms))
  verifiesInCi(
    "PRV-22",
    `${runner}: an error comes from the unit if an object that it made outside of tests lacks something`,
    async () => {
      const project = await proofProject(
        { "package.json": manifest, "src/cipher.js": unit },
        { modules: true },
      );
      const commit = await project.commitOn(project.base, { "tests/cipher.test.js": `${head}${made}` });
      const red = await project.red(commit, {
        planned: ["src/cipher.js"],
        settings: { runner, paths: { tests: ["tests/"], source: ["src/"] } },
      });
      const [failed, ...others] = failedChecks(red.verdict);
      expect(others).toEqual([]);
      expect(failed).toContain(
        "fail right_reason: tests/cipher.test.js::cipher::FR2 is wrong itself: throws",
      );
      expect(failed).not.toContain("FR1");
    },
  );
