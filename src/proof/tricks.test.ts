import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, expect, vi } from "vitest";
import { proofProject, type ProofProject } from "../../test/proof-project.ts";
import { verifies, verifiesInCi } from "../../test/verifies.ts";

const projects: ProofProject[] = [];
afterEach(() => vi.unstubAllEnvs());

async function make(...given: Parameters<typeof proofProject>): Promise<ProofProject> {
  const project = await proofProject(...given);
  projects.push(project);
  return project;
}

interface Trick {
  /** Committed beside the failing test. */
  readonly files?: Readonly<Record<string, string>>;
  /** Changes to the machine outside of every commit; given the repository and a script that always exits with 0. */
  readonly around?: (dir: string, evil: string) => Promise<void>;
}

async function program(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, "#!/bin/sh\necho '1 passed'\nexit 0\n");
  await chmod(file, 0o755);
}

const tricks: Readonly<Record<string, Trick>> = {
  "the test script": {
    files: { "package.json": '{ "type": "module", "scripts": { "test": "true", "pretest": "exit 0" } }\n' },
  },
  ".npmrc": { files: { ".npmrc": "script-shell=/bin/true\nnode-options=--test-name-pattern=none\n" } },
  ".env": { files: { ".env": "NODE_OPTIONS=--test-name-pattern=none\nPATH=.\n" } },
  PATH: {
    around: async (dir) => {
      await program(join(dir, ".git", "node"));
      vi.stubEnv("PATH", `${join(dir, ".git")}:${process.env["PATH"] ?? ""}`);
    },
  },
  NODE_OPTIONS: { around: async (_dir, evil) => void vi.stubEnv("NODE_OPTIONS", `--require=${evil}`) },
  "node_modules/.bin": { around: (dir) => program(join(dir, "node_modules/.bin/node")) },
};

verifiesInCi("CORE-16", "six repositories with one trick each, and each failing test fails", async () => {
  for (const [name, { files = {}, around }] of Object.entries(tricks)) {
    const project = await make({ "package.json": '{ "type": "module" }\n' });
    const { dir } = project.repo;
    const evil = join(dir, ".git", "evil.cjs");
    await writeFile(evil, 'require("node:assert/strict").equal = () => {};\nprocess.exit(0);\n');
    await around?.(dir, evil);
    const head = await project.commitOn(project.base, {
      "tests/a.test.js":
        'import test from "node:test";\nimport assert from "node:assert/strict";\ntest("fails", () => assert.equal(1, 2));\n',
      ...files,
    });
    const { verdict, drafts } = await project.final({ head, required: ["tests/a.test.js::fails"] });
    vi.unstubAllEnvs();
    expect([
      name,
      verdict.verdict,
      ...verdict.checks.map((check) => `${check.verdict} ${check.reason}`),
    ]).toEqual([
      name,
      "fail",
      "pass ",
      "fail exit code: it is 1, not 0; required tests: 1 failed: tests/a.test.js::fails",
      "pass ",
    ]);
    expect(drafts[0]?.argv.slice(0, 2)).toEqual([process.execPath, "--test"]);
    expect(drafts[0]?.tests[0]).toMatchObject({ status: "failed", kind: "assertion" });
  }
});

verifies(
  ["ORC-46", "CORE-16"],
  "vitest: the script `vitest; true` and the coder's own configuration do not affect a failing test",
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
);
