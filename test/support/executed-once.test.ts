/** The contract of an executor: a caching one gives the same proofs as one that starts its programs. */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { executeProgram } from "../../src/proof/execute/start-program.ts";
import type { Executor, ProgramRun, ProgramStart } from "../../src/proof/ports.ts";
import { proofProject, type ProofProject } from "../proof-project.ts";
import { onceIn } from "./executed-once.ts";
import { inCi } from "../verifies.ts";
import { newFolder } from "./folder.ts";

const tests = (body: string) =>
  `import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "../src/add.js";\ntest("adds", () => {\n  ${body}\n});\n`;
const asserts = tests("assert.equal(add(1, 2), 3);");

let folder: string;
let project: ProofProject;
beforeAll(async () => {
  folder = newFolder();
  project = await proofProject({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/add.js": "export const add = (a, b) => a - b;\n",
  });
});

const forgetful = { get: async () => null, put: async () => undefined };

/** The results of the programs, and the number of starts. */
async function own(text: string, execute: Executor) {
  const commit = await project.commitOn(project.base, { "tests/add.test.js": text });
  const given: ProgramRun[] = [];
  const collect = async (start: ProgramStart) => {
    const run = await execute(start);
    given.push(run);
    return run;
  };
  const ports = { ...project.ports, execute: collect };
  const { verdict, output, drafts, required } = await project.red(commit, { ports, cache: forgetful });
  const printed = output === null ? null : await project.payloads.text(output);
  const records = drafts.map(({ purpose, tests: seen, verdict: judged, reasons }) => ({
    purpose,
    judged,
    reasons,
    seen: seen.map(({ id, status, message }) => ({ id, status, message })),
  }));
  return {
    verdict: { ...verdict, findings: verdict.findings.map(({ code, message }) => [code, untimed(message)]) },
    printed: printed === null ? null : untimed(printed),
    records,
    required,
    ended: given.map(({ ran }) => [ran.exitCode, ran.timedOut, ran.failedToStart]),
  };
}

const untimed = (text: string) =>
  text.replaceAll(/\d+(?:\.\d+)? ?ms|duration_ms [\d.]+/gu, "0 ms").replaceAll(/\.\d{6,}/gu, "");

const cases = {
  "a test that fails": asserts,
  "a test that passes": tests("assert.equal(add(1, 2), -1);"),
  "a test file that cannot be loaded": "import 'nowhere';\n",
  "a test file that ends its process": "process.exit(7);\n",
  "a test that prints": tests('console.log("é"); assert.equal(add(1, 2), 3);'),
} as const;

for (const [name, text] of Object.entries(cases))
  inCi(`${name} is judged the same, started or remembered`, async () => {
    let started = 0;
    const counting = onceIn(await mkdtemp(join(folder, "case-")), (start) => {
      started += 1;
      return executeProgram(start);
    });
    const real = await own(text, executeProgram);
    const first = await own(text, counting);
    const before = started;
    const second = await own(text, counting);
    expect(first).toEqual(real);
    expect(second).toEqual(real);
    expect([before > 0, started]).toEqual([true, before]);
  });

inCi("code that reads more than its files is started each time", async () => {
  let started = 0;
  const counting = onceIn(await mkdtemp(join(folder, "case-")), (start) => {
    started += 1;
    return executeProgram(start);
  });
  const body = "assert.equal(add(Date.now() - Date.now(), 2), 3);";
  await own(tests(body), counting);
  const before = started;
  await own(tests(body), counting);
  // The base, which has no such code, is remembered.
  expect(started).toBe(2 * before - 1);
});
