import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { verifies, verifiesInCi } from "../../../test/verifies.ts";
import { proveChange } from "../change-proof.ts";
import { proveMerge } from "../merge-proof.ts";
import type { GateProof } from "../proof.ts";
import type { ProofPorts } from "../ports.ts";

const imports = 'import test from "node:test";\nimport assert from "node:assert/strict";\n';
const required = ["tests/add.test.js::FR1 adds"];
const newTest = {
  "tests/add.test.js": `${imports}import { add } from "../src/add.js";\ntest("FR1 adds", () => assert.equal(add(1, 2), 3));\n`,
};
const honest = { "src/add.js": "export const add = (a, b) => a + b;\n" };
const wavers = "tests/wavers.test.js::wavers";
const isNotJudged = `passed in one of two runs of the base commit, so it is not judged: ${wavers}`;
const isFlaky = `an old test failed once and passed again: ${wavers}`;
let project: ProofProject;
/** Without the sandbox, which forbids the test to count its runs. */
let ports: ProofPorts;
let made = 0;

beforeAll(async () => {
  project = await proofProject({
    "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    "src/old.js": "export const old = () => 1;\n",
    "tests/old.test.js": `${imports}import { old } from "../src/old.js";\ntest("old works", () => assert.equal(old(), 1));\n`,
  });
  const { sandbox: _sandbox, ...others } = project.ports;
  ports = others;
});

/** A base with a test that passes and fails in turn, and fails at the end of its turns. */
function baseWith(turns: string): Promise<string> {
  const count = join(project.repo.dir, ".git", `runs-${++made}`);
  return project.commitOn(project.base, {
    "tests/wavers.test.js": `${imports}import { existsSync, readFileSync, writeFileSync } from "node:fs";
test("wavers", () => {
  const file = ${JSON.stringify(count)};
  const at = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
  writeFileSync(file, String(at + 1));
  assert.equal(${JSON.stringify(turns)}[at], "P");
});
`,
  });
}

function seen({ verdict, drafts }: GateProof) {
  return {
    again: drafts.flatMap(({ purpose }) => (/confirm|again/.test(purpose) ? [purpose] : [])),
    outcome: verdict.outcome,
    failed: failedChecks(verdict),
    flaky: verdict.findings.flatMap(({ code, message }) => (code === "flaky" ? [message] : [])),
  };
}

const passed = { outcome: "pass", failed: [] };

function cached() {
  const known = new Map<string, string>();
  const cache = {
    get: async (key: string) => known.get(key) ?? null,
    put: async (key: string, value: string) => void known.set(key, value),
  };
  return { ports, cache, settings: { paths: { tests: ["tests/"], source: ["src/"] } } };
}

verifies("CORE-29", "the base runs again before GREEN blames an old test on the change", async () => {
  const base = await baseWith("PFFF");
  const red = await project.commitOn(base, newTest);
  const head = await project.commitOn(red, honest);
  expect(seen(await project.green({ base, red, head, required, ports }))).toEqual({
    again: ["green.confirm", "baseline.again"],
    ...passed,
    flaky: [isNotJudged],
  });
});

verifiesInCi(
  "CORE-29",
  "the base runs again before RED and the final verification blame an old test",
  async () => {
    const base = await baseWith("PFFFF");
    const red = await project.commitOn(base, newTest);
    expect(seen(await project.red(red, { base, ports, planned: ["src/add.js"] }))).toEqual({
      again: ["red.confirm", "baseline.again"],
      ...passed,
      flaky: [isNotJudged],
    });
    const other = await baseWith("PFFF");
    const head = await project.commitOn(await project.commitOn(other, newTest), honest);
    expect(seen(await project.final({ base: other, head, required, ports }))).toEqual({
      again: ["final.confirm", "baseline.again"],
      ...passed,
      flaky: [isNotJudged],
    });
  },
);

verifiesInCi(
  "CORE-29",
  "a refactoring is not blamed for a test that wavers, on the base or after it",
  async () => {
    const judge = async (turns: string) => {
      const base = await baseWith(turns);
      const head = await project.commitOn(base, { "README.md": "# Old\n" });
      const proof = await proveChange({ ...cached(), base, head, criteria: null, accepted: [] });
      return seen(proof);
    };
    const confirm = "prove.confirm";
    expect(await judge("PFP")).toEqual({ again: [confirm], ...passed, flaky: [isFlaky] });
    expect(await judge("PFFF")).toMatchObject({ again: [confirm, "baseline.again"], flaky: [isNotJudged] });
    expect(await judge("FPP")).toMatchObject({ again: ["baseline.again"], ...passed, flaky: [isNotJudged] });
    expect(await judge("PFFP")).toMatchObject({
      again: [confirm, "baseline.again"],
      outcome: "fail",
      flaky: [],
    });
  },
);

verifiesInCi("CORE-29", "a merge is not blamed for a test that wavers on its parents", async () => {
  const base = await baseWith("PPFFFF");
  const ours = await project.commitOn(base, { "src/ours.js": "export const ours = 1;\n" });
  const theirs = await project.commitOn(base, { "src/theirs.js": "export const theirs = 1;\n" });
  const merged = await project.commitOn(ours, { "src/theirs.js": "export const theirs = 1;\n" });
  const proof = await proveMerge({ ...cached(), base, ours, theirs, merged });
  if (proof === null) throw new TypeError("the project has a runner");
  expect(seen(proof)).toEqual({
    again: ["merge.confirm", "baseline.again", "baseline.again"],
    ...passed,
    flaky: [isNotJudged],
  });
});
