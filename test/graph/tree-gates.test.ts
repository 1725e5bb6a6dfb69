// @module-tag ci
import { beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import {
  byHand,
  calc,
  calcFiles,
  initWork,
  scaffoldFiles,
  stub,
  tests,
  wrong,
  type ByHand,
  type Files,
  calcChildren,
} from "./by-hand.ts";

/** Adds something that no child implements. */
const rootFiles: Files = {
  ...scaffoldFiles,
  "src/calc/index.js": `${scaffoldFiles["src/calc/index.js"]}export { both } from "./both.js";\n`,
  "src/calc/both.js": stub("both"),
  "test/calc/contract.test.js": tests({ "../../src/calc/index.js": "{ both }" }, [
    "contract: both are told",
    "assert.deepEqual(both(5, 3), [8, 2]);",
  ]),
};

let hand: ByHand;
beforeAll(async () => {
  hand = await byHand({ files: { ...calcFiles, "src/base.js": "export const zero = 0;\n" }, spec: calc });
  const childSpecs = calcChildren("add", "sub");
  await hand.judge("calc", "InitWork", { files: rootFiles, payload: initWork({ childSpecs }) });
});

const ready = { testsCommit: "", testFiles: [], pendingCriteria: [] };
const passed = { commitHash: "", iterations: 1, passedTests: [] };
const parentInterface: Files = { "src/calc/index.js": 'export { add } from "./add.js";\n' };
const zero = 'import { zero } from "../base.js";\n';
const plus = `${zero}export function add(a, b) {\n  return a + b + zero;\n}\n`;
const checkedAdd = `${zero}export function add(a, b) {\n  return a + b + Number(zero);\n}\n`;
const minus = "export function sub(a, b) {\n  return a - b;\n}\n";

function childScaffold(name: string, criterionId: string) {
  const face = `src/calc/${name}-api.js`;
  const suite = `test/calc/${name}/contract.test.js`;
  const body = `assert.equal(typeof ${name}(1, 1), "number");`;
  return {
    files: {
      [face]: `export { ${name} } from "./${name}.js";\n`,
      [suite]: tests({ [`../../../${face}`]: `{ ${name} }` }, [`${name} gives a number`, body]),
    },
    payload: initWork({
      interfaceFile: face,
      contractSuite: suite,
      interfaces: null,
      testPlan: [{ criterionId, plannedTestName: `${name} works`, approach: "call it" }],
    }),
  };
}

function childTests(name: string, body: string): Files {
  return {
    [`test/calc/${name}/${name}.test.js`]: tests({ [`../../../src/calc/${name}-api.js`]: `{ ${name} }` }, [
      `${name} works`,
      body,
    ]),
  };
}

describe("a tree", () => {
  verifies(
    "V3-37",
    "refuses a commit of a child's Scaffold, TDD or Impl that changes its parent's interface, by file",
    async () => {
      const add = childScaffold("add", "AC-1");
      const scaffold = await hand.judge("calc--add", "InitWork", {
        ...add,
        files: { ...add.files, ...parentInterface },
      });
      expect(wrong(scaffold)).toContainEqual(
        expect.stringMatching(/^fail read_only: interface files of a parent .*: src\/calc\/index\.js$/u),
      );
      const back = { "src/calc/index.js": rootFiles["src/calc/index.js"] ?? null };
      const laid = await hand.judge("calc--add", "InitWork", { ...add, files: { ...add.files, ...back } });
      expect(wrong(laid)).toEqual([]);
      const { locked } = hand.node("calc--add");
      expect(locked?.files["src/calc/index.js"]).toBe(hand.node("calc").locked?.files["src/calc/index.js"]);

      const own = childTests("add", "assert.equal(add(2, 3), 5);");
      const batch = await hand.judge("calc--add", "TestsReady", {
        files: { ...own, ...parentInterface },
        payload: ready,
      });
      expect(wrong(batch)).toContainEqual(
        expect.stringMatching(/^fail test_path: .*: src\/calc\/index\.js$/u),
      );
      expect(
        wrong(await hand.judge("calc--add", "TestsReady", { files: { ...own, ...back }, payload: ready })),
      ).toEqual([]);

      const files = { "src/calc/add.js": plus, ...parentInterface };
      const impl = await hand.judge("calc--add", "TestsPassed", { files, payload: passed });
      expect(wrong(impl)).toContainEqual(
        expect.stringMatching(/^fail interface: .*changed src\/calc\/index\.js$/u),
      );
      // The runtime restores it without the agent.
      expect(wrong(await hand.judge("calc--add", "TestsPassed", { payload: passed }))).toEqual([]);
      const merged = await hand.merge("calc--add");
      expect(await hand.textAt(merged, "src/calc/index.js")).toBe(back["src/calc/index.js"]);
    },
  );

  verifies(
    "V3-32",
    "measures RED on the scaffold, so that a merged child refuses no honest test, and only records the run on the branch",
    async () => {
      expect(hand.node("calc").head).not.toBe(hand.node("calc").scaffold);
      const files = {
        "test/calc/calc.test.js": tests(
          { "../../src/calc/index.js": "{ add, sub }" },
          ["adds two numbers", "assert.equal(add(2, 3), 5);"],
          ["subtracts two numbers", "assert.equal(sub(5, 3), 2);"],
        ),
      };
      const judged = await hand.judge("calc", "TestsReady", { files, payload: ready });
      expect(wrong(judged)).toEqual([]);
      const drafts = judged.settlement.drafts ?? [];
      const runOf = (purpose: string) =>
        Object.fromEntries(
          drafts
            .filter((draft) => draft.purpose === purpose)
            .flatMap((draft) => draft.tests.map(({ id, status }) => [id.split("::").at(-1) ?? "", status])),
        );
      expect(runOf("red.tests")).toMatchObject({
        "adds two numbers": "failed",
        "subtracts two numbers": "failed",
      });
      expect(runOf("red.branch")).toEqual({
        "adds two numbers": "passed",
        "subtracts two numbers": "failed",
      });
      const { head, scaffold, tests: red } = hand.node("calc");
      expect(await hand.world.repository.git("rev-parse", `${red}^`)).toBe(scaffold);
      expect(await hand.textAt(head, "src/calc/add.js")).toBe(plus);
      expect(await hand.textAt(head, "test/calc/calc.test.js")).toBe(files["test/calc/calc.test.js"]);
    },
  );

  verifies(
    "V3-28",
    "runs the contract suites of all children together, and reopens the child whose suite fails at its TDD",
    async () => {
      // A sibling was merged while its scaffold was made, so the work is judged on the new base.
      await hand.work("calc--sub", "InitWork", childScaffold("sub", "AC-2"));
      expect(hand.open()).toContain("calc--sub rebase");
      await hand.rebase("calc--sub");
      expect(wrong(await hand.gate("calc--sub"))).toEqual([]);
      const { head, base } = hand.node("calc--sub");
      expect(await hand.world.repository.git("rev-parse", `${head}^`)).toBe(base);
      expect(base).not.toBe(hand.node("calc").scaffold);
      const files = childTests("sub", "assert.equal(sub(5, 3), 2);");
      expect(wrong(await hand.judge("calc--sub", "TestsReady", { files, payload: ready }))).toEqual([]);
      const sub = await hand.judge("calc--sub", "TestsPassed", {
        files: { "src/calc/sub.js": minus },
        payload: passed,
      });
      expect(wrong(sub)).toEqual([]);
      // Each passes alone.
      await hand.merge("calc--sub", { "src/base.js": 'export const zero = "";\n' });
      expect(hand.open()).toEqual(["calc contracts"]);
      const judged = await hand.gate("calc");
      const id = "test/calc/add/contract.test.js::add gives a number";
      expect(wrong(judged)).toEqual([
        `fail contracts: the contract suites of all children must pass together; failing: ${id} (calc--add)`,
      ]);
      await hand.rebase("calc--add");
      expect(hand.open()).toEqual(["calc--add write_tests"]);
      expect(await hand.prompt("calc--add")).toContain(id);

      const nothing = await hand.judge("calc--add", "TestsReady", { payload: ready });
      expect(wrong(nothing)).toEqual([]);
      expect(nothing.verdict.findings).toMatchObject([{ code: "nothing_new" }]);
      const mended = await hand.judge("calc--add", "TestsPassed", {
        files: { "src/calc/add.js": checkedAdd },
        payload: passed,
      });
      expect(wrong(mended)).toEqual([]);
      await hand.merge("calc--add");
      const again = await hand.gate("calc");
      expect(wrong(again)).toEqual([]);
      expect(hand.open()).toEqual(["calc impl"]);
      // Its own suite ran, failed, and decided nothing.
      const own = again.settlement.drafts?.find(({ purpose }) => purpose === "contracts.own");
      expect(own?.tests).toMatchObject([
        {
          id: "test/calc/contract.test.js::contract: both are told",
          status: "failed",
          kind: "not-implemented",
        },
      ]);
    },
  );

  test("with work of its own left dispatches Impl, and is complete with its children's work", async () => {
    const empty = await hand.judge("calc", "TestsPassed", { payload: passed });
    expect(wrong(empty)).toEqual([
      expect.stringMatching(/^fail required: .*contract: both are told/u),
      expect.stringMatching(/^fail implemented: still not implemented: src\/calc\/both\.js:2/u),
    ]);
    const imports = 'import { add } from "./add.js";\nimport { sub } from "./sub.js";\n';
    const both = `${imports}export function both(a, b) {\n  return [add(a, b), sub(a, b)];\n}\n`;
    const whole = await hand.judge("calc", "TestsPassed", {
      files: { "src/calc/both.js": both },
      payload: passed,
    });
    expect(wrong(whole)).toEqual([]);
    expect(hand.open()).toEqual(["calc review"]);
  });
});
