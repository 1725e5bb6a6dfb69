/** New tests that never finish: on a base whose own runs leave tests unfinished nothing tells why (CORE-29). */
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { proofProject, type ProofProject } from "../../../test/proof-project.ts";
import { failedChecks } from "../../../test/support/failed-checks.ts";
import { inCi } from "../../../test/verifies.ts";
import type { GateProof } from "../proof.ts";
import type { ProofPorts } from "../ports.ts";

const fresh = "tests/z-new.test.js::FR1 adds";
const imports = 'const assert = require("node:assert/strict");\nconst { add } = require("../src/add.js");\n';
const asserts = 'it("FR1 adds", () => assert.equal(add(1, 2), 3));\n';
const newTest = { "tests/z-new.test.js": `${imports}${asserts}` };
const honest = { "src/add.js": "exports.add = (a, b) => a + b;\n" };
/** By mocha's own rule an error after a test has passed ends the run: no later test starts. */
const throwsLate = 'process.nextTick(() => { throw new Error("late"); })';
let project: ProofProject;
/** Without the sandbox, which forbids the tests to count their runs. */
let ports: ProofPorts;
let made = 0;

beforeAll(async () => {
  project = await proofProject(
    {
      "package.json": '{ "devDependencies": { "mocha": "*" }, "scripts": { "test": "mocha tests" } }\n',
      "src/add.js": "exports.add = () => 0;\n",
    },
    { modules: true },
  );
  const { sandbox: _sandbox, ...others } = project.ports;
  ports = others;
});

/** A base with four tests, one of which throws late in each run, as these turns say; 0: none. */
function baseWith(turns: string): Promise<string> {
  const count = join(project.repo.dir, ".git", `runs-${++made}`);
  return project.commitOn(project.base, {
    "tests/old.test.js": `const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const assert = require("node:assert/strict");
const count = ${JSON.stringify(count)};
const at = existsSync(count) ? Number(readFileSync(count, "utf8")) : 0;
writeFileSync(count, String(at + 1));
const turn = Number(${JSON.stringify(turns)}[at] ?? 0);
for (const number of [1, 2, 3, 4])
  it(\`old \${number}\`, (done) => {
    assert.ok(number);
    done();
    if (turn === number) ${throwsLate};
  });
`,
  });
}

async function redOf(turns: string, tests: Readonly<Record<string, string>> = newTest) {
  const base = await baseWith(turns);
  const head = await project.commitOn(base, tests);
  return seen(await project.red(head, { base, ports, planned: ["src/add.js"] }));
}

async function greenOf(turns: string, change: Readonly<Record<string, string>> = honest) {
  const base = await baseWith(turns);
  const red = await project.commitOn(base, newTest);
  const head = await project.commitOn(red, change);
  return seen(await project.green({ base, red, head, required: [fresh], ports }));
}

function seen(proof: GateProof) {
  const again = proof.drafts.filter(({ purpose }) => purpose === "baseline.again").length;
  return { again, outcome: proof.verdict.outcome, checks: failedChecks(proof.verdict) };
}

const restless =
  "runs of the base commit leave tests unfinished without the change, so nothing tells why these do not finish; mend the old tests that end the run early";

inCi("RED is inconclusive about a new test that never finishes where the base is restless", async () => {
  // The base's second run shows it; or already the first one, in which the last old test did not start.
  expect(await redOf("442")).toEqual({
    again: 1,
    outcome: "inconclusive",
    checks: [
      `inconclusive right_reason: ${restless}: ${fresh}`,
      expect.stringMatching(/^inconclusive stable: /),
    ],
  });
  expect(await redOf("333")).toMatchObject({ again: 0, outcome: "inconclusive" });
});

inCi("GREEN is inconclusive about it, too, and says why", async () => {
  expect(await greenOf("442")).toEqual({
    again: 1,
    outcome: "inconclusive",
    checks: [expect.stringContaining(`inconclusive required: ${restless}: ${fresh}`)],
  });
});

inCi("a new test that does not finish is refused where the base is calm", async () => {
  const lateItself = `${imports}it("FR2 is late", (done) => { assert.ok(1); done(); ${throwsLate}; });\n${asserts}`;
  const isRefused = [expect.stringContaining(`${fresh}: its process ended before the test did`)];
  expect(await redOf("000", { "tests/z-new.test.js": lateItself })).toEqual({
    again: 1,
    outcome: "fail",
    checks: isRefused,
  });
  expect(await greenOf("000", { "src/add.js": "exports.add = () => process.exit(0);\n" })).toMatchObject({
    outcome: "fail",
    checks: [expect.stringContaining("early_exit: the code ends the process before its tests report")],
  });
});

inCi("a test that ends the process itself is refused, also where the base is restless", async () => {
  const exits = {
    "tests/z-new.test.js": `${imports}it("FR1 adds", () => { assert.equal(add(1, 2), 0); process.exit(1); });\n`,
  };
  expect(await redOf("202", exits)).toMatchObject({
    outcome: "fail",
    checks: [
      "fail not_empty: early_exit: the runner left no report, but did on the base commit: a test ends the process",
    ],
  });
});

inCi("a restless base gets one more run before a failed old test blocks", async () => {
  const open = `inconclusive right_reason: ${restless}: ${fresh}`;
  const other = expect.stringMatching(/^inconclusive stable: /);
  expect(await redOf("41124")).toEqual({ again: 1, outcome: "inconclusive", checks: [open, other] });
  expect(await redOf("41121")).toEqual({
    again: 1,
    outcome: "fail",
    checks: [open, expect.stringMatching(/^fail old_tests: .*old 1 \(failed\);/), other],
  });
});
