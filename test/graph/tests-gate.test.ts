import { beforeAll, expect } from "vitest";
import { TestsReadyPayload } from "../../src/protocol/graph-types/shared.ts";
import { TDDMem } from "../../src/protocol/graph-types/tdd.ts";
import { inCi, verifies, verifiesInCi } from "../verifies.ts";
import {
  accepted,
  byHand,
  calc,
  calcFiles,
  initWork,
  storedMemory,
  scaffoldFiles,
  tests,
  wrong,
  type ByHand,
  type Files,
} from "./by-hand.ts";

const others = { "src/other.js": "export const other = 1;\n", "test/five.js": "export const five = 5;\n" };

let hand: ByHand;
beforeAll(async () => {
  hand = await byHand({ files: { ...calcFiles, ...others }, spec: calc });
  await hand.judge("calc", "InitWork", { files: scaffoldFiles, payload: initWork() });
});

const adds = ["adds two numbers", "assert.equal(add(2, 3), 5);"] as const;
const subtracts = ["AC-2: subtracts", "assert.equal(sub(5, 3), 2);"] as const;
const ready = { testsCommit: "mine", testFiles: [], pendingCriteria: ["AC-9"] };

function file(...cases: readonly (readonly [string, string])[]): string {
  return tests({ "../../src/calc/index.js": "{ add, sub }" }, ...cases);
}

/** The files as before any batch. */
const clean: Files = {
  "test/calc/calc.test.js": null,
  "test/calc/typed.test.ts": null,
  "test/other.test.js": null,
  "test/five.js": others["test/five.js"],
  "test/six.js": null,
  "src/calc/sub.js": scaffoldFiles["src/calc/sub.js"] ?? null,
};

async function refused(files: Files): Promise<readonly string[]> {
  const judged = await hand.judge("calc", "TestsReady", { files: { ...clean, ...files }, payload: ready });
  expect(hand.open()).toEqual(["calc write_tests"]);
  expect(hand.node("calc")).toMatchObject({ tests: null, memory: { tdd: null } });
  const prompt = await hand.prompt("calc");
  for (const { name, verdict } of judged.verdict.checks)
    if (verdict === "fail") expect(prompt).toContain(`${name}: `);
  return wrong(judged);
}

verifiesInCi(
  "V3-33",
  "a test that imports a module outside the node's public interface is refused with file, line and import",
  async () => {
    const typed = file(["AC-1: typed", "const five: number = 5;\n  assert.equal(add(2, 3) + other, five);"]);
    const inner = `import { other } from "../../src/other.js";\n`;
    const lines = typed.split("\n");
    const files = {
      "test/calc/calc.test.js": file(adds, subtracts),
      "test/calc/typed.test.ts": [...lines.slice(0, 2), inner.trimEnd(), ...lines.slice(2)].join("\n"),
    };
    expect(await refused(files)).toContainEqual(
      expect.stringMatching(/^fail public_api: .*: test\/calc\/typed\.test\.ts:3 imports src\/other\.js$/u),
    );
  },
);

inCi("a helper that existed before the node may be imported; a changed or new one may not", async () => {
  const importing = file(["adds two numbers", "assert.equal(add(2, 3), five);"]).replace(
    "\n",
    `\nimport { five } from "../five.js";\n`,
  );
  const one = { "test/calc/calc.test.js": importing };
  // Its only fault is the criterion that it leaves out.
  expect(await refused(one)).toEqual([expect.stringMatching(/^fail batch: .*no new test for AC-2$/u)]);
  const imports = (path: string) =>
    expect.stringMatching(new RegExp(`^fail public_api: .*calc\\.test\\.js:2 imports ${path}$`, "u"));
  const changed = { ...one, "test/five.js": "export const five = 6;\n" };
  expect(await refused(changed)).toContainEqual(imports("test/five.js"));
  const fresh = importing.replace("../five.js", "../six.js");
  const added = { "test/calc/calc.test.js": fresh, "test/six.js": "export const five = 5;\n" };
  expect(await refused(added)).toContainEqual(imports("test/six.js"));
});

const one = "test/calc/calc.test.js";

verifiesInCi("V3-31", "a batch that mixes criteria, passes or does not load is refused by name", async () => {
  expect(
    await refused({ [one]: file(adds, ["AC-1, AC-2: both", "assert.equal(add(2, 3), sub(8, 3));"]) }),
  ).toEqual([expect.stringMatching(/^fail one_criterion: .*::AC-1, AC-2: both belongs to AC-1 and AC-2;/u)]);
  expect(
    await refused({ [one]: file(adds, subtracts, ["something", "assert.equal(add(2, 3), 5);"]) }),
  ).toEqual([expect.stringMatching(/^fail one_criterion: .*::something belongs to no criterion;/u)]);
  expect(
    await refused({ [one]: file(adds, ["AC-2: is there", 'assert.equal(typeof sub, "function");']) }),
  ).toEqual([
    expect.stringMatching(/^fail fails: .*AC-2: is there/u),
    expect.stringMatching(/^fail tautology: .*AC-2: is there/u),
    expect.stringMatching(/^fail batch: .*no new test for AC-2$/u),
  ]);
  const unloaded = file(adds, subtracts).replace("{ add, sub }", "{ add, sub, mul }");
  expect(await refused({ [one]: unloaded })).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^fail load: test\/calc\/calc\.test\.js does not load: /u),
    ]),
  );
  expect(
    await refused({ [one]: file(adds, ["AC-2: thrown", 'assert.ok(1); throw new Error("x");']) }),
  ).toEqual([expect.stringMatching(/^fail right_reason: .*AC-2: thrown: throws in the test itself/u)]);
});

verifies("V3-31", "a batch that misses a criterion or goes outside testPath is refused by name", async () => {
  expect(await refused({ [one]: file(adds) })).toEqual([
    expect.stringMatching(/^fail batch: .*no new test for AC-2$/u),
  ]);
  const outside = {
    [one]: file(adds, subtracts),
    "test/other.test.js": file(["AC-1: x", "assert.equal(add(1, 1), 2);"]).replaceAll("../../", "../"),
  };
  expect(await refused(outside)).toEqual([
    expect.stringMatching(/^fail test_path: only files under test\/calc .*: test\/other\.test\.js$/u),
  ]);
  expect(
    await refused({ [one]: file(adds, subtracts), "src/calc/sub.js": "export const sub = () => 2;\n" }),
  ).toEqual([
    expect.stringMatching(/^fail paths: only tests and fixtures .*src\/calc\/sub\.js$/u),
    expect.stringMatching(/^fail test_path: .*: src\/calc\/sub\.js$/u),
  ]);

  const judged = await hand.judge("calc", "TestsReady", {
    files: { ...clean, [one]: file(adds, subtracts) },
    payload: ready,
  });
  expect(wrong(judged)).toEqual([]);
  expect(hand.open()).toEqual(["calc impl"]);
});

verifies(
  "V3-53",
  "accepted tests are on the node's branch, locked, pending in TDD's memory, and reported with the runtime's own values",
  async () => {
    const entry = hand.node("calc");
    const { head, scaffold, locked } = entry;
    expect(await hand.world.repository.git("rev-parse", `mettle/${hand.run}/calc`)).toBe(head);
    expect(await hand.world.repository.git("rev-parse", `${head}^`)).toBe(scaffold);
    const ids = ["test/calc/calc.test.js::AC-2: subtracts", "test/calc/calc.test.js::adds two numbers"];
    expect(await accepted(hand, entry, "TestsReady", TestsReadyPayload)).toEqual({
      testsCommit: head,
      testFiles: ["test/calc/calc.test.js"],
      pendingCriteria: ["AC-1", "AC-2"],
    });
    expect(locked?.required.toSorted()).toEqual([
      ...ids,
      "test/calc/contract.test.js::contract: both give numbers",
    ]);
    expect(Object.keys(locked?.files ?? {}).toSorted()).toEqual([
      "src/calc/index.js",
      "test/calc/calc.test.js",
      "test/calc/contract.test.js",
    ]);
    const memory = await storedMemory(hand, entry.memory.tdd, TDDMem);
    expect({ ...memory, pendingTests: memory.pendingTests.toSorted() }).toEqual({
      conversationId: "main tdd",
      coveredCriteria: [],
      pendingTests: ids,
    });
  },
);
