import { afterAll, beforeAll, expect, test } from "vitest";
import { ImplMem } from "../../src/protocol/graph-types/impl.ts";
import { ImplResult } from "../../src/protocol/graph-types/shared.ts";
import { TDDMem } from "../../src/protocol/graph-types/tdd.ts";
import { verifies } from "../verifies.ts";
import {
  accepted,
  byHand,
  calc,
  calcFiles,
  initWork,
  remembered,
  scaffoldFiles,
  tests,
  wrong,
  type ByHand,
  type Files,
} from "./by-hand.ts";

const testFile = tests(
  { "../../src/calc/index.js": "{ add, sub }" },
  ["adds two numbers", "assert.equal(add(2, 3), 5);"],
  ["AC-2: subtracts", "assert.equal(sub(5, 3), 2);"],
);
const ids = [
  "test/calc/calc.test.js::AC-2: subtracts",
  "test/calc/calc.test.js::adds two numbers",
  "test/calc/contract.test.js::contract: both give numbers",
];
const claim = { commitHash: "0000000", iterations: 9, passedTests: ["all of them"] };
const right: Files = {
  "src/calc/add.js": "export function add(a, b) {\n  return a + b;\n}\n",
  "src/calc/sub.js": "export function sub(a, b) {\n  return a - b;\n}\n",
};

let hand: ByHand;
beforeAll(async () => {
  hand = await byHand({ files: calcFiles, spec: calc });
  await hand.judge("calc", "InitWork", { files: scaffoldFiles, payload: initWork() });
  const ready = { testsCommit: "", testFiles: [], pendingCriteria: [] };
  await hand.judge("calc", "TestsReady", { files: { "test/calc/calc.test.js": testFile }, payload: ready });
}, 60_000);
afterAll(() => hand.remove());

function impl(files: Files) {
  return hand.judge("calc", "TestsPassed", { files, payload: claim });
}

async function history(): Promise<ImplMem["attemptHistory"]> {
  return (await remembered(hand, hand.node("calc").memory.impl, ImplMem)).attemptHistory;
}

test("a claim that tests pass is answered by the runtime's own run, and the attempt is remembered by its facts", async () => {
  const { "src/calc/add.js": add } = right;
  const half = await impl({ "src/calc/add.js": add ?? null });
  expect(wrong(half)).toEqual([
    expect.stringMatching(/^fail required: .*required tests: 2 failed: .*AC-2: subtracts/u),
    expect.stringMatching(/^fail implemented: still not implemented: src\/calc\/sub\.js:2: throw new Error/u),
  ]);
  expect(half.verdict.findings).toContainEqual(
    expect.objectContaining({ code: "output", message: expect.stringContaining("not implemented: sub") }),
  );
  expect(hand.open()).toEqual(["calc impl"]);
  const prompt = await hand.prompt("calc");
  for (const word of [
    "src/calc/sub.js:2: throw new Error",
    "test/calc/calc.test.js::AC-2: subtracts",
    "Error: not implemented: sub",
    "Attempt 2 of",
    "partial: 2 of 3 failing tests left",
  ])
    expect(prompt).toContain(word);
  const [open] = hand.context.session.state.open;
  expect(open?.counters["attempt"]).toMatchObject({ value: 2 });
  const same = await impl({ "src/calc/sub.js": "export function sub() {\n  return 0;\n}\n" });
  expect(wrong(same)).toEqual([expect.stringMatching(/^fail required: .*required tests: 1 failed/u)]);
  await impl({ "src/calc/sub.js": "export function sub() {\n  return 1;\n}\n" });
  expect(await history()).toEqual([
    { strategy: "done by hand", outcome: "partial: 2 of 3 failing tests left" },
    { strategy: "done by hand", outcome: "partial: 1 of 3 failing tests left" },
    {
      strategy: "done by hand",
      outcome: expect.stringMatching(/^failed: required: .*required tests: 1 failed/u),
    },
  ]);
}, 90_000);

test("a locked test, the contract suite and the interface are refused by file and put back for the next attempt", async () => {
  const edited = testFile.replace("2);", "1);");
  const test = await impl({ "test/calc/calc.test.js": edited });
  expect(wrong(test)).toContainEqual(
    expect.stringMatching(/^fail frozen: .*changed test\/calc\/calc\.test\.js$/u),
  );
  expect(test.verdict.outcome).toBe("fail");
  const face = await impl({ "src/calc/index.js": 'export { add } from "./add.js";\n', ...right });
  expect(wrong(face)).toContainEqual(
    expect.stringMatching(/^fail interface: .*changed src\/calc\/index\.js$/u),
  );
  const suite = await impl({ "test/calc/contract.test.js": null });
  expect(wrong(suite)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^fail frozen: .*deleted test\/calc\/contract\.test\.js/u),
      expect.stringMatching(/^fail interface: .*deleted test\/calc\/contract\.test\.js/u),
    ]),
  );
}, 90_000);

test("a build that fails is told, and nothing is accepted", async () => {
  const judged = await impl({ "src/calc/add.js": "export function add( {\n" });
  expect(wrong(judged)).toContainEqual(expect.stringMatching(/^fail build: npm run build must succeed/u));
  expect(hand.node("calc").accepted.TestsPassed).toBeUndefined();
}, 60_000);

test("what passes is the node's head, with the executed ids and the kernel's count in place of the agent's", async () => {
  const attempt = hand.context.session.state.open[0]?.counters["attempt"]?.value;
  const judged = await impl(right);
  expect(wrong(judged)).toEqual([]);
  const entry = hand.node("calc");
  expect(hand.open()).toEqual(["calc review"]);
  expect(await hand.world.repository.git("rev-parse", `mettle/${hand.run}/calc`)).toBe(entry.head);
  const result = await accepted(hand, entry, "TestsPassed", ImplResult);
  expect({ ...result, passedTests: result.passedTests.toSorted() }).toEqual({
    commitHash: entry.head,
    iterations: attempt,
    passedTests: ids,
  });
  for (const [path, text] of Object.entries({ ...right, "test/calc/calc.test.js": testFile }))
    expect(await hand.textAt(entry.head, path)).toBe(text);
  const phrases = hand.context.session.view.claims.map(({ phrase }) => phrase);
  expect(phrases.slice(-2)).toEqual(["iterations", "passedTests"]);
  expect(await remembered(hand, entry.memory.tdd, TDDMem)).toMatchObject({
    coveredCriteria: ["AC-1", "AC-2"],
    pendingTests: [],
  });
}, 60_000);

verifies(
  "V3-35",
  "the reviewer is asked only after the runtime's own checks, and its prompt has each with the record's exit code",
  async () => {
    const { session } = hand.context;
    const reviews = session.view.order.filter(
      (key) => session.view.commands[key]?.command.state === "review",
    );
    expect(reviews).toHaveLength(1);
    const green = session.view.judged.findLast(({ gate }) => gate === "node_green");
    const records = session.view.records.filter(({ key }) => key === green?.key);
    const of = (purpose: string) => records.find((record) => record.purpose === purpose);
    const gate = `the gate ended with exit code ${of("green")?.exitCode} (${of("green")?.id})`;
    const prompt = await hand.prompt("calc");
    expect(prompt).toContain("You are the **Reviewer**");
    expect(prompt.match(/^- \[.\].*/gmu)).toEqual([
      `- [x] build: \`npm run build\` ended with exit code ${of("green.build")?.exitCode} (${of("green.build")?.id})`,
      `- [x] tests: \`node:test\` ended with exit code ${of("green.tests")?.exitCode}, 3 of 3 tests passed (${of("green.tests")?.id})`,
      `- [x] implemented: nothing in src/calc is left unimplemented; ${gate}`,
      `- [x] interface: interface and contract suite are as the scaffold laid them; ${gate}`,
    ]);
    expect(["green", "green.build", "green.tests"].map((one) => of(one)?.exitCode)).toEqual([0, 0, 0]);
  },
  60_000,
);
