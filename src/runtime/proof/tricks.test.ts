import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { verifies } from "../../../test/verifies.ts";

const projects: ProofProject[] = [];
afterAll(() => Promise.all(projects.map((project) => project.remove())));
afterEach(() => vi.unstubAllEnvs());

async function make(...given: Parameters<typeof proofProject>): Promise<ProofProject> {
  const project = await proofProject(...given);
  projects.push(project);
  return project;
}

const fake = "#!/bin/sh\necho '1 passed'\nexit 0\n";

test("node:test: script, .npmrc, .env, PATH, NODE_OPTIONS and node_modules/.bin decide nothing", async () => {
  const project = await make({ "package.json": '{ "type": "module" }\n' });
  const { dir } = project.repo;
  const evil = join(dir, ".git", "evil.cjs");
  await writeFile(
    evil,
    'const assert = require("node:assert/strict");\nassert.equal = () => {};\nprocess.exit(0);\n',
  );
  await mkdir(join(dir, "node_modules/.bin"), { recursive: true });
  for (const file of [join(dir, ".git", "node"), join(dir, "node_modules/.bin/node")]) {
    await writeFile(file, fake);
    await chmod(file, 0o755);
  }
  vi.stubEnv("PATH", `${join(dir, ".git")}:${process.env["PATH"] ?? ""}`);
  vi.stubEnv("NODE_OPTIONS", `--require=${evil}`);
  const head = await project.commitOn(project.base, {
    "tests/a.test.js":
      'import test from "node:test";\nimport assert from "node:assert/strict";\ntest("fails", () => assert.equal(1, 2));\n',
    "package.json": '{ "type": "module", "scripts": { "test": "true", "pretest": "exit 0" } }\n',
    ".npmrc": "script-shell=/bin/true\nnode-options=--test-name-pattern=none\n",
    ".env": `NODE_OPTIONS=--require=${evil}\nPATH=.\n`,
  });
  const { verdict, drafts } = await project.final({ head, required: ["tests/a.test.js::fails"] });
  expect(verdict.checks.map((check) => `${check.verdict} ${check.name}: ${check.reason}`)).toEqual([
    "pass commit: ",
    "fail required: exit code: it is 1, not 0; required tests: 1 failed: tests/a.test.js::fails",
    "pass regressions: ",
  ]);
  expect(drafts[0]?.tests[0]).toMatchObject({ status: "failed", kind: "assertion" });
});

verifies(
  "ORC-46",
  "vitest: the script `vitest; true` and the coder's own configuration change nothing about a failing test",
  async () => {
    const script =
      '{ "type": "module", "devDependencies": { "vitest": "*" }, "scripts": { "test": "vitest; true" } }\n';
    const project = await make({ "package.json": script }, { modules: true });
    const red = await project.commitOn(project.base, {
      "tests/a.test.ts":
        'import { expect, test } from "vitest";\nimport { a } from "../src/a.ts";\ntest("FR1 is two", () => { expect(a()).toBe(2); });\ntest("FR2 is again", () => { expect([a()]).toEqual([2]); });\n',
    });
    const reds = await project.red(red, { planned: ["src/a.ts"], criteria: ["FR1", "FR2"] });
    expect(reds.verdict.checks.filter((check) => check.verdict !== "pass")).toEqual([]);
    expect(reds.tests.map(({ kind, frames }) => `${kind} ${frames[0]?.split(":")[0]}`)).toEqual([
      "not-implemented src/a.ts",
      "not-implemented src/a.ts",
    ]);

    const tricky = await project.commitOn(red, {
      "src/a.ts": "export const a = (): number => 1;\n",
      "vitest.config.ts":
        'export default { test: { exclude: ["**/*"], passWithNoTests: true, setupFiles: ["./src/setup.ts"] } };\n',
      "src/setup.ts":
        'import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n',
    });
    const { verdict, tests, drafts } = await project.green({ red, head: tricky, required: reds.required });
    const run = drafts.find(({ purpose }) => purpose === "green.tests");
    expect([verdict.outcome, run?.exitCode, drafts.at(-1)?.exitCode]).toEqual(["fail", 1, 1]);
    expect(run?.argv.slice(0, 3)).toEqual([
      process.execPath,
      join(project.repo.dir, "node_modules/vitest/vitest.mjs"),
      "run",
    ]);
    expect(
      verdict.checks
        .filter((check) => check.verdict !== "pass")
        .map(({ name, tests: ids }) => `${name} ${ids.length}`),
    ).toEqual(["frozen 0", "paths 0", "required 2"]);
    expect(tests.map(({ status, kind }) => `${status} ${kind}`)).toEqual([
      "failed assertion",
      "failed assertion",
    ]);
  },
  120_000,
);
