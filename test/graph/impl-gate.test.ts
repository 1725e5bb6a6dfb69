// @module-tag ci
import { beforeAll, expect, test } from "vitest";
import { ImplMem } from "../../src/protocol/graph-types/impl.ts";
import { ImplResult, TestsReadyPayload } from "../../src/protocol/graph-types/shared.ts";
import { TDDMem } from "../../src/protocol/graph-types/tdd.ts";
import { presentAsk } from "../../src/engine/asks/present.ts";
import { verifies } from "../verifies.ts";
import {
  accepted,
  byHand,
  calc,
  calcFiles,
  contract,
  initWork,
  storedMemory,
  scaffoldFiles,
  stub,
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
const claim = { commitHash: "0000000", iterations: 99, passedTests: ["all of them"] };
const right: Files = {
  "src/calc/add.js": "export function add(a, b) {\n  return a + b;\n}\n",
  "src/calc/sub.js": "export function sub(a, b) {\n  return a - b;\n}\n",
};

let hand: ByHand;
beforeAll(async () => {
  hand = await byHand({ files: calcFiles, spec: calc });
  await hand.judge("calc", "InitWork", { files: scaffoldFiles, payload: initWork() });
  const ready = { testsCommit: "", testFiles: [], pendingCriteria: [] };
  const files = { "test/calc/calc.test.js": testFile, "test/calc/help.sh": "echo 1\n" };
  await hand.judge("calc", "TestsReady", { files, payload: ready });
});

function impl(files: Files) {
  return hand.judge("calc", "TestsPassed", { files, payload: claim });
}

test("a claim that tests pass is checked by the runtime's own run", async () => {
  const { "src/calc/add.js": add } = right;
  const half = await impl({ "src/calc/add.js": add ?? null });
  expect(wrong(half)).toEqual([
    expect.stringMatching(/^fail required: .*required tests: 2 failed: .*AC-2: subtracts/u),
    expect.stringMatching(/^fail implemented: still not implemented: src\/calc\/sub\.js:2: throw new Error/u),
  ]);
  expect(hand.open()).toEqual(["calc impl"]);
  const prompt = await hand.prompt("calc");
  for (const word of [
    "src/calc/sub.js:2: throw new Error",
    "test/calc/calc.test.js::AC-2: subtracts",
    "Error: not implemented: sub",
    "Attempt 2 of",
  ])
    expect(prompt).toContain(word);
  expect(await storedMemory(hand, hand.node("calc").memory.tdd, TDDMem)).toEqual({
    conversationId: "main tdd",
    coveredCriteria: ["AC-1"],
    pendingTests: ["test/calc/calc.test.js::AC-2: subtracts"],
  });
});

verifies(
  "V3-54",
  "each attempt is stored as partial or failed by what was executed, and later prompts list it",
  async () => {
    await impl({ "src/calc/sub.js": "export function sub() {\n  return 0;\n}\n" });
    await impl({ "src/calc/sub.js": "export function sub() {\n  return 1;\n}\n" });
    const { attemptHistory, ...memory } = await storedMemory(hand, hand.node("calc").memory.impl, ImplMem);
    expect({ ...memory, passedTests: memory.passedTests.toSorted() }).toEqual({
      conversationId: "main impl",
      passedTests: ids.slice(1),
    });
    expect(attemptHistory).toEqual([
      { strategy: "done by hand", outcome: "partial: 2 of 3 failing tests left" },
      { strategy: "done by hand", outcome: "partial: 1 of 3 failing tests left" },
      { strategy: "done by hand", outcome: expect.stringMatching(/^failed: required: .*1 failed: /u) },
    ]);
    const prompt = await hand.prompt("calc");
    for (const { strategy, outcome } of attemptHistory) {
      expect(prompt).toContain(strategy);
      expect(prompt).toContain(outcome);
    }
  },
);

async function expectRestored(path: string): Promise<void> {
  const { head } = hand.node("calc");
  expect(await hand.textAt(await hand.from("calc"), path)).toBe(await hand.textAt(head, path));
  expect(await hand.prompt("calc")).toContain(path);
}

verifies(
  "V3-34",
  "a change of a locked test, the contract suite or the interface is refused by file, reverted, and costs an attempt",
  async () => {
    const attempts = () => hand.context.session.state.open[0]?.counters["attempt"]?.value ?? 0;
    const before = attempts();
    const edited = await impl({ "test/calc/calc.test.js": testFile.replace("2);", "1);") });
    expect(wrong(edited)).toContainEqual(
      expect.stringMatching(/^fail frozen: .*changed test\/calc\/calc\.test\.js$/u),
    );
    expect(edited.verdict.outcome).toBe("fail");
    await expectRestored("test/calc/calc.test.js");
    const moved = await impl({ "test/calc/calc.test.js": null, "test/calc/moved.test.js": testFile });
    expect(wrong(moved)).toContainEqual(
      expect.stringMatching(/^fail frozen: .*calc\.test\.js \(now test\/calc\/moved\.test\.js\)/u),
    );
    await expectRestored("test/calc/calc.test.js");
    const face = await impl({ "src/calc/index.js": 'export { add } from "./add.js";\n', ...right });
    expect(wrong(face)).toContainEqual(
      expect.stringMatching(/^fail interface: .*changed src\/calc\/index\.js$/u),
    );
    await expectRestored("src/calc/index.js");
    const suite = await impl({ "test/calc/contract.test.js": null });
    expect(wrong(suite)).toContainEqual(
      expect.stringMatching(/^fail interface: .*deleted test\/calc\/contract\.test\.js$/u),
    );
    await expectRestored("test/calc/contract.test.js");
    expect(attempts()).toBe(before + 4);
    const [open] = hand.context.session.state.open;
    expect(open).toMatchObject({
      reports: expect.arrayContaining(["BlockedDependency", "SpecAmbiguity", "TI"]),
    });
  },
);

test("a failing build is reported, and nothing is accepted", async () => {
  const judged = await impl({ "src/calc/add.js": "export function add( {\n" });
  expect(wrong(judged)).toContainEqual(expect.stringMatching(/^fail build: npm run build must succeed/u));
  expect(hand.node("calc").accepted.TestsPassed).toBeUndefined();
});

verifies(
  "V3-53",
  "passed work becomes the node's head, its tests are no longer pending, and the executed ids and the kernel's count replace the agent's",
  async () => {
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
    expect(await storedMemory(hand, entry.memory.tdd, TDDMem)).toMatchObject({
      coveredCriteria: ["AC-1", "AC-2"],
      pendingTests: [],
    });
  },
);

verifies(
  ["V3-35", "V3-33"],
  "the reviewer is dispatched only after the runtime's own checks, and its prompt has each with the record's exit code",
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
      `- [x] interface: interface and contract suite are unchanged since the scaffold; ${gate}`,
      "- [ ] public API: not checked",
    ]);
    expect(["green", "green.build", "green.tests"].map((one) => of(one)?.exitCode)).toEqual([0, 0, 0]);
  },
);

const requestedTest = { criterionId: "AC-1", plannedTestName: "adds nothing", approach: "with zero" };
const zero = ["adds nothing", "assert.equal(add(2, 0), 2);"] as const;

function suite(...more: readonly (readonly [string, string])[]): Files {
  return {
    "test/calc/calc.test.js": tests(
      { "../../src/calc/index.js": "{ add, sub }" },
      ["adds two numbers", "assert.equal(add(2, 3), 5);"],
      ["AC-2: subtracts", "assert.equal(sub(5, 3), 2);"],
      ...more,
    ),
  };
}

verifies(
  "V3-53",
  "tests that a review requests are the next batch, beside the locked tests, and are measured on the scaffold",
  async () => {
    await hand.work("calc", "MoreTests", { payload: { critiques: [], additionalTests: [requestedTest] } });
    expect(hand.open()).toEqual(["calc write_tests"]);
    expect(await hand.prompt("calc")).toMatch(/## Already Covered\n+- AC-1 ✓\n- AC-2 ✓\n/u);
    const batch = (files: Files) =>
      hand.judge("calc", "TestsReady", {
        files,
        payload: { testsCommit: "", testFiles: [], pendingCriteria: [] },
      });
    expect(wrong(await batch(suite(["AC-2: again", "assert.equal(sub(5, 5), 0);"])))).toEqual([
      expect.stringMatching(/^fail batch: .*no new test for AC-1$/u),
    ]);
    const edited = suite(zero)["test/calc/calc.test.js"]?.replace("3), 2)", "3), 3)") ?? null;
    expect(wrong(await batch({ "test/calc/calc.test.js": edited }))).toEqual([
      expect.stringMatching(/^fail locked: .*test\/calc\/calc\.test\.js$/u),
    ]);
    expect(wrong(await batch(suite(zero)))).toEqual([]);
    const entry = hand.node("calc");
    expect(entry.locked?.required.toSorted()).toEqual(
      [...ids, "test/calc/calc.test.js::adds nothing"].toSorted(),
    );
    expect(await hand.textAt(entry.head, "src/calc/add.js")).toBe(right["src/calc/add.js"]);
    expect(await storedMemory(hand, entry.memory.tdd, TDDMem)).toMatchObject({
      coveredCriteria: ["AC-1", "AC-2"],
      pendingTests: ["test/calc/calc.test.js::adds nothing"],
    });
    expect(await accepted(hand, entry, "TestsReady", TestsReadyPayload)).toMatchObject({
      pendingCriteria: ["AC-1"],
    });
  },
);

test("the question about a dispute shows the test, both reasons and the failure (fault E16)", async () => {
  const reason = "the difference of 5 and 3 is another number";
  await hand.work("calc", "TI", { payload: { test: "AC-2: subtracts", reason } });
  const payload = { testsCommit: "", testFiles: [], pendingCriteria: [] };
  await hand.work("calc", "TestsReady", { payload });
  expect(hand.open()).toEqual(["calc tests_stand"]);
  const ask = hand.context.session.state.open.find(({ type }) => type === "ask");
  const text = ask?.type === "ask" ? await presentAsk(hand.context, ask) : "";
  for (const word of [
    "node: calc",
    "Test: test/calc/calc.test.js::AC-2: subtracts",
    "assert.equal(sub(5, 3), 2);",
    `reason: ${reason}`,
    "TDD:",
    "done by hand",
    "How it fails:",
    "Error: not implemented: ",
  ])
    expect(text).toContain(word);
  expect(text).not.toContain("Test: test/calc/calc.test.js::adds two numbers");
  await hand.say("calc", "test-right");
  expect(hand.open()).toEqual(["calc impl"]);
});

verifies(
  "V3-34",
  "a test that Impl calls wrong reaches TDD with Impl's reason, and may be corrected in place",
  async () => {
    await hand.work("calc", "TI", {});
    expect(hand.open()).toEqual(["calc write_tests"]);
    expect(await hand.prompt("calc")).toMatch(/### TI\n.*done by hand/u);
    const nothing = ["adds nothing", "assert.equal(add(0, 0), 0);"] as const;
    const payload = { testsCommit: "", testFiles: [], pendingCriteria: [] };
    const judged = await hand.judge("calc", "TestsReady", { files: suite(nothing), payload });
    expect(wrong(judged)).toEqual([]);
    const { head, locked } = hand.node("calc");
    expect(await hand.textAt(head, "test/calc/calc.test.js")).toBe(suite(nothing)["test/calc/calc.test.js"]);
    expect(locked?.required).toHaveLength(4);
    expect(hand.open()).toEqual(["calc impl"]);
  },
);

verifies("V3-29", "of a repeated scaffold only the new or changed contract tests must fail", async () => {
  const missing = { missingSymbol: "mul", expectedImportPath: "src/calc/index.js" };
  await hand.work("calc", "BlockedDependency", { payload: missing });
  const again = (...more: readonly (readonly [string, string])[]) =>
    hand.judge("calc", "InitWork", {
      files: {
        "src/calc/mul.js": stub("mul"),
        "src/calc/index.js": `${scaffoldFiles["src/calc/index.js"]}export { mul } from "./mul.js";\n`,
        "test/calc/contract.test.js":
          contract.replace("{ add, sub }", "{ add, sub, mul }") + more.map(bare).join(""),
      },
      payload: initWork(),
    });
  // The earlier tests are implemented by now and pass.
  expect(hand.node("calc").accepted.TestsPassed).toBeDefined();
  const passing = await again(["contract: mul is there", 'assert.equal(typeof mul, "function");']);
  expect(wrong(passing)).toEqual([
    expect.stringMatching(/^fail contract_fails: .*::contract: mul is there$/u),
  ]);
  const failing = await again(["contract: mul", "assert.equal(mul(2, 3), 6);"]);
  expect(wrong(failing)).toEqual([]);
  const run = failing.settlement.drafts?.find(({ purpose }) => purpose === "scaffold.tests");
  expect(run?.tests.map(({ status }) => status).toSorted()).toEqual(["failed", "passed"]);
});

function bare([title, body]: readonly [string, string]): string {
  return `test("${title}", () => {\n  ${body}\n});\n`;
}
