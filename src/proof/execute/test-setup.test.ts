/** The environment of a project's tests: its own variables, loaders and arguments, in a checkout of the commit alone. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { verifiesWhen } from "../../../test/verifies.ts";
import { proofProject } from "../../../test/proof-project.ts";
import { parseSettings } from "../../config/settings.ts";
import { AppError } from "../../lib/errors.ts";
import { projectAt } from "../project/project.ts";
import { testSetupOf } from "./test-setup.ts";

const wrong = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';

test("tests get the variables and loaders of the project's own test script (faults E1, E2, R12)", async () => {
  const project = await proofProject({
    "package.json": JSON.stringify({
      type: "module",
      scripts: {
        test: "npm run unit",
        unit: "NODE_ENV=test TZ='Europe/Berlin' HOME=/nowhere cross-env WHO=$NODE_ENV-er node --import ./hooks/load.js --test",
      },
    }),
    "hooks/load.js": "globalThis.isLoaded = true;\n",
    "src/one.js": "export const one = () => 1;\n",
    "tests/one.test.js": `${wrong}
test("the test setup", () => {
  const { NODE_ENV, TZ, WHO, HOME, NO_COLOR } = process.env;
  assert.deepEqual({ NODE_ENV, TZ, WHO, NO_COLOR }, { NODE_ENV: "test", TZ: "Europe/Berlin", WHO: "test-er", NO_COLOR: undefined });
  assert.notEqual(HOME, "/nowhere");
  assert.equal(new Date("2026-01-01T12:00:00Z").getHours(), 13);
  assert.equal(globalThis.isLoaded, true);
});
`,
  });

  const { suite } = await project.own();
  expect(suite.report.tests.map(({ status, message }) => `${status} ${message}`)).toEqual(["passed "]);
});

test("mocha may load a file of the package by its path alone; a module that is missing is refused", async () => {
  const script = "mocha --require test/support/env --require=own/hook.js test/";
  const project = await proofProject({
    "package.json": JSON.stringify({ scripts: { test: script } }),
    "test/support/env.js": "process.env.NODE_ENV = 'test';\n",
  });
  const setupAt = async (commit: string) => {
    const base = await projectAt(project.repository, commit);
    return testSetupOf({ ports: project.ports, base, prefix: "", runner: "mocha" });
  };
  await expect(setupAt(project.base)).rejects.toThrow("the test script loads own, which is not installed");
  const head = await project.commitOn(project.base, { "own/hook.js": "" });
  expect((await setupAt(head)).args).toEqual(["--require", "test/support/env", "--require=own/hook.js"]);
});

const given = `version: 1
tests:
  env: { MODE: strict, RETRIES: 3, DATABASE_URL:, UNSET:, MODE_OF_A: a }
  envFile: .env.test
  prepare: node build.mjs
  args: ["--test-concurrency=1"]
  packages:
    a: { env: { MODE: lax }, prepare: ["mkdir made", "echo done > made/here"] }
`;
const asserts = (more: string) => `${wrong}
import { existsSync, readFileSync } from "node:fs";
const { MODE, RETRIES, DATABASE_URL, UNSET, MODE_OF_A, API_PASSWORD, PORT } = process.env;
console.log(DATABASE_URL, API_PASSWORD);
test("needs " + API_PASSWORD, () => {
  assert.deepEqual([MODE_OF_A, RETRIES, DATABASE_URL, UNSET, API_PASSWORD, PORT],
    ["a", "3", "postgres://me:hunter2-and-more@db/x", undefined, "planted-9081-pw", "3000"]);
  ${more}
});
`;

verifiesWhen(
  existsSync("/usr/bin/bwrap"),
  "bubblewrap is not on this machine",
  "PRV-06",
  "settings give tests variables, env files, arguments and files that commands create; no secret is stored",
  needsMet,
);

async function needsMet(): Promise<void> {
  const project = await proofProject({
    ".gitignore": ".env*\ndist\nmade\n",
    "package.json":
      '{ "type": "module", "workspaces": ["a"], "scripts": { "test": "MODE=from-script SCRIPT=1 node --test" } }',
    "build.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
mkdirSync("dist");
const outside = Object.values(networkInterfaces()).flat().filter((one) => !one.internal);
writeFileSync("dist/client.js", "export const outside = " + outside.length + ";\\n");
console.log("built with " + process.env.API_PASSWORD);
`,
    "tests/a.test.js": asserts(
      'assert.equal(MODE, "strict"); assert.equal(process.env.SCRIPT, "1"); assert.equal(readFileSync("dist/client.js", "utf8"), "export const outside = 0;\\n");',
    ),
    "a/package.json": '{ "type": "module" }',
    "a/tests/a.test.js": asserts('assert.equal(MODE, "lax"); assert.ok(existsSync("made/here"));'),
  });

  await writeFile(
    join(project.repo.dir, ".env.test"),
    "PORT=3000\n# a comment\nexport API_PASSWORD='planted-9081-pw'\n",
  );
  const { tests } = parseSettings(given);
  const paths = { tests: ["**/tests/"], source: ["src/"] };
  const ports = { tests, env: { DATABASE_URL: "postgres://me:hunter2-and-more@db/x", OTHER: "other" } };
  const settings = { paths, packages: { ".": "node-test", a: "node-test" } };
  const { suite, drafts } = await project.own({ ports, settings });
  expect(suite.report.tests.map(({ id, status, message }) => `${status} ${id} ${message}`)).toEqual([
    "passed tests/a.test.js::needs [secret] ",
    "passed a/tests/a.test.js::needs [secret] ",
  ]);
  const prepared = drafts.filter(({ purpose }) => purpose === "baseline.prepare");
  expect(prepared.map(({ title, controls }) => `${title} ${controls["files"]}`)).toEqual([
    "node build.mjs 1",
    "node build.mjs 1",
    "mkdir made 0",
    "echo done > made/here 1",
  ]);
  expect(prepared[0]?.controls["prepared"]).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(prepared[0]?.lastLines).toEqual(["built with [secret]"]);
  const kept = [
    JSON.stringify([suite, drafts]),
    ...(await Promise.all(drafts.map(({ output }) => project.payloads.text(output)))),
  ].join("\n");
  expect(kept).toContain("[secret]");
  expect(["hunter2-and-more", "planted-9081-pw"].filter((text) => kept.includes(text))).toEqual([]);

  // In the sandbox nothing has the network.
  if (prepared[0]?.isolation === "none") expect(prepared[0].argv).toContain("--unshare-net");
  expect(drafts.find(({ purpose }) => purpose === "baseline")?.argv).toContain("--test-concurrency=1");
  const online = await project.own({ settings, ports: { ...ports, tests: { ...tests, network: true } } });
  expect(online.drafts[0]?.argv).toEqual(["/bin/sh", "-c", "node build.mjs"]);

  const broken = await project.own({
    settings,
    ports: { ...ports, tests: { ...tests, prepare: ["echo no >&2; exit 7"] } },
  });
  expect(broken.suite.environment).toBe(
    "`echo no >&2; exit 7` failed in the clean checkout (exit code 7): no",
  );
  const lost = project.own({ settings, ports: { ...ports, tests: { envFile: ["nowhere.env"] } } });
  await expect(lost).rejects.toThrow("tests.envFile names nowhere.env, which does not exist");
  const error = await lost.catch((reason: unknown) => reason);
  expect(error instanceof AppError && [error.code, error.exitCode]).toEqual(["test_setup_missing", 5]);
}
