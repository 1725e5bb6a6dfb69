/**
 * The effects of exits beyond their route, each in a node brought there by hand.
 * @module-tag ci
 */
import { beforeAll, expect, test } from "vitest";
import type { InitWork } from "../../src/protocol/graph-types/scaffold.ts";
import { TDDApproval } from "../../src/protocol/graph-types/shared.ts";
import { canonicalJson } from "../../src/lib/hash.ts";
import { blockersOf } from "../../src/testing/blockers.ts";
import { verifies } from "../verifies.ts";
import {
  accepted,
  byHand,
  calc,
  calcFiles,
  initWork,
  scaffoldFiles,
  tests,
  wrong,
  type ByHand,
  calcChildren,
} from "./by-hand.ts";

const ready = { testsCommit: "HEAD", testFiles: [], pendingCriteria: [] };
const childSpecs = calcChildren("add", "sub");

const subSuite = "test/calc/sub/contract.test.js";
const subFiles = {
  "src/calc/sub-api.js": 'export { sub } from "./sub.js";\n',
  [subSuite]: tests({ "../../../src/calc/sub.js": "{ sub }" }, [
    "sub gives a number",
    'assert.equal(typeof sub(1, 1), "number");',
  ]),
};
const subWork = initWork({
  interfaceFile: "src/calc/sub-api.js",
  contractSuite: subSuite,
  interfaces: null,
  testPlan: [{ criterionId: "AC-2", plannedTestName: "sub works", approach: "call it" }],
});

let hand: ByHand;
beforeAll(async () => void (hand = await byHand({ files: calcFiles, spec: calc })));

function spawnCount(): number {
  return Object.values(hand.context.session.view.commands).filter(({ command }) => command.type === "spawn")
    .length;
}

async function scaffold(change: Partial<InitWork>, again: boolean): Promise<readonly string[]> {
  if (again) await hand.say("calc", "InvalidScaffold");
  const files = again ? {} : scaffoldFiles;
  const judged = await hand.judge("calc", "InitWork", { files, payload: initWork(change) });
  expect(wrong(judged)).toEqual([]);
  return hand.open();
}

verifies(
  "V3-02",
  "absent, null and [] all mean no children; two children are two spawns in the step that accepts the scaffold, and Impl is held",
  async () => {
    const forms = [{}, { childSpecs: null }, { childSpecs: [] }];
    for (const [n, form] of forms.entries()) {
      expect(await scaffold(form, n > 0)).toEqual(["calc write_tests"]);
      expect(spawnCount()).toBe(0);
    }
    expect(await scaffold({ childSpecs }, true)).toEqual([
      "calc write_tests",
      "calc--add scaffold",
      "calc--sub scaffold",
    ]);
    expect(spawnCount()).toBe(2);
    const { protocol, state } = hand.context.session;
    expect(blockersOf(protocol, state, "main")).toContainEqual({
      type: "region",
      name: "tests",
      state: "write_tests",
    });
  },
);

test("a child that fails while its parent's Scaffold works is reported to Scaffold before it restarts", async () => {
  const other = await byHand({ files: calcFiles, spec: calc });

  await other.judge("calc", "InitWork", { files: scaffoldFiles, payload: initWork({ childSpecs }) });
  await other.say("calc", "InvalidScaffold");
  const { session } = other.context;
  const frame = Object.values(session.state.frames).find(({ parent }) => parent?.item === "add")?.id ?? "";
  await session.abortNode({ node: "calc--add", frame, reason: "not needed" });
  await other.judge("calc", "InitWork", { payload: initWork({ childSpecs }) });
  expect(other.open()).toContain("calc scaffold");
  expect(await other.prompt("calc")).toMatch(/- childId: calc--add\n- reason: Aborted\n/u);
});

verifies(
  "V3-20",
  "BlockedDependency names the sibling that exports the missing symbol, or says that none does",
  async () => {
    const face = { path: "src/calc/add-api.js", exports: ["openDb"] };
    const suite = "test/calc/add/contract.test.js";
    const laid = await hand.judge("calc--add", "InitWork", {
      files: {
        [face.path]: 'export const openDb = "open";\nexport { add } from "./add.js";\n',
        [suite]: tests({ "../../../src/calc/add.js": "{ add }" }, [
          "add gives a number",
          'assert.equal(typeof add(1, 1), "number");',
        ]),
      },
      payload: initWork({
        interfaceFile: face.path,
        contractSuite: suite,
        interfaces: [face],
        testPlan: [{ criterionId: "AC-1", plannedTestName: "add works", approach: "call it" }],
      }),
    });
    expect(wrong(laid)).toEqual([]);
    await hand.work("calc--sub", "InitWork", {
      payload: initWork({ childSpecs: null, interfaces: null }),
    });
    for (const outcome of ["pass", "TestsReady", "pass"]) await hand.say("calc--sub", outcome);
    const missing = { missingSymbol: "openDb", expectedImportPath: "src/calc/db.js" };
    await hand.work("calc--sub", "BlockedDependency", { payload: missing });
    const told = await hand.prompt("calc--sub");
    expect(told).toContain("**BlockedDependency**");
    for (const line of ["missingSymbol: openDb", "expectedImportPath: src/calc/db.js", "exported by: add"])
      expect(told).toContain(`- ${line}\n`);
  },
);

verifies(
  ["V3-13", "V3-20"],
  "RebaseConflict goes to Scaffold with its fields, and to the Impl after the new InitWork",
  async () => {
    for (const outcome of ["TestsReady", "pass", "TestsPassed", "pass"]) await hand.say("calc--add", outcome);
    await hand.merge("calc--add", { "src/calc/add.js": "export const add = (a, b) => a + b;\n" });
    await hand.work("calc--sub", "InitWork", { files: subFiles, payload: subWork });
    expect(hand.open()).toContain("calc--sub rebase");
    await hand.say("calc--sub", "repair");
    const conflict = {
      conflictFile: "src/calc/sub.js",
      ourChange: "sub throws",
      theirChange: "add is an arrow",
      whyUnresolvable: "both say what a number is",
    };
    await hand.work("calc--sub", "RebaseConflict", { payload: conflict });
    const told = await hand.prompt("calc--sub");
    expect(told).toContain("**RebaseConflict**");
    for (const [name, text] of Object.entries(conflict)) expect(told).toContain(`- ${name}: ${text}`);

    expect(wrong(await hand.judge("calc--sub", "InitWork", { files: subFiles, payload: subWork }))).toEqual(
      [],
    );
    const batch = tests({ "../../../src/calc/sub.js": "{ sub }" }, [
      "sub works",
      "assert.equal(sub(5, 3), 2);",
    ]);
    const red = await hand.judge("calc--sub", "TestsReady", {
      files: { "test/calc/sub/sub.test.js": batch },
      payload: ready,
    });
    expect(wrong(red)).toEqual([]);
    expect(hand.open()).toContain("calc--sub impl");
    const impl = await hand.prompt("calc--sub");
    for (const [name, text] of Object.entries(conflict)) expect(impl).toContain(`- ${name}: ${text}`);
  },
  180_000,
);

verifies(
  "V3-36",
  "an approval has the executed coverage, whatever was sent, and a criterion without a test becomes MoreTests",
  async () => {
    hand = await byHand({ files: calcFiles, spec: calc });
    const { context } = hand;
    await scaffold({}, false);
    const file = "test/calc/calc.test.js";
    const batch = tests(
      { "../../src/calc/index.js": "{ add, sub }" },
      ["adds two numbers", "assert.equal(add(2, 3), 5);"],
      ["subtracts two numbers", "assert.equal(sub(5, 3), 2);"],
    );
    expect(
      wrong(await hand.judge("calc", "TestsReady", { files: { [file]: batch }, payload: ready })),
    ).toEqual([]);
    const right = {
      "src/calc/add.js": "export function add(a, b) {\n  return a + b;\n}\n",
      "src/calc/sub.js": "export function sub(a, b) {\n  return a - b;\n}\n",
    };
    const passed = { commitHash: "HEAD", iterations: 1, passedTests: [] };
    expect(wrong(await hand.judge("calc", "TestsPassed", { files: right, payload: passed }))).toEqual([]);
    // A person amends the spec while the work is reviewed.
    const third = { id: "AC-3", text: "neg(5) gives -5" };
    const before = hand.node("calc").spec;
    const spec = await context.payloads.put(
      canonicalJson({ ...calc, acceptanceCriteria: [...calc.acceptanceCriteria, third] }),
    );
    await context.session.record([{ type: "node.respecified", node: "calc", before, spec }]);
    const invented = {
      signOff: "Read it",
      coverageReport: { criteriaWithTests: [["AC-3", "a test that is none"]], criteriaMissing: [] },
    };
    await hand.work("calc", "Approved", { payload: invented });
    expect(hand.open()).toEqual(["calc write_tests"]);
    const told = await hand.prompt("calc");
    expect(told).toContain("- AC-3: `AC-3: is covered`");
    expect(told).not.toContain("- AC-1: `AC-1: is covered`");

    await context.session.record([{ type: "node.respecified", node: "calc", before: spec, spec: before }]);
    await hand.judge("calc", "TestsReady", { payload: ready });
    expect(wrong(await hand.judge("calc", "TestsPassed", { payload: passed }))).toEqual([]);
    await hand.work("calc", "Approved", { payload: invented });
    const approval = await accepted(hand, hand.node("calc"), "Approved", TDDApproval);
    expect(approval.coverageReport).toEqual({
      criteriaWithTests: [
        ["AC-1", `${file}::adds two numbers`],
        ["AC-2", `${file}::subtracts two numbers`],
      ],
      criteriaMissing: [],
    });
    expect(hand.open()).toEqual(["calc candidate"]);
  },
  180_000,
);
