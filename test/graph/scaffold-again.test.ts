import { afterAll, beforeAll, expect, test } from "vitest";
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
} from "./by-hand.ts";

let hand: ByHand;
afterAll(() => hand.remove());

function child(id: string, description = `The ${id}`) {
  return {
    id,
    description,
    acceptanceCriteria: [{ id: `AC-1.${id}`, text: "a part of it" }],
    targetPath: `src/calc/${id}.js`,
    testPath: `test/calc/${id}`,
  };
}

beforeAll(async () => {
  hand = await byHand({ files: calcFiles, spec: calc });
  const files = { ...scaffoldFiles, "src/calc/mul.js": stub("mul"), "src/calc/div.js": stub("div") };
  await hand.judge("calc", "InitWork", {
    files,
    payload: initWork({ childSpecs: [child("add"), child("sub"), child("mul"), child("div")] }),
  });
  const own = {
    "test/calc/calc.test.js": tests(
      { "../../src/calc/index.js": "{ add, sub }" },
      ["adds two numbers", "assert.equal(add(2, 3), 5);"],
      ["subtracts two numbers", "assert.equal(sub(5, 3), 2);"],
    ),
  };
  const payload = { testsCommit: "", testFiles: [], pendingCriteria: [] };
  await hand.judge("calc", "TestsReady", { files: own, payload });
  for (const id of ["sub", "mul"])
    await hand.judge(`calc--${id}`, "InitWork", {
      files: {
        [`test/calc/${id}/contract.test.js`]: tests({ [`../../../src/calc/${id}.js`]: `{ ${id} }` }, [
          "it works",
          `assert.equal(typeof ${id}(1, 1), "number");`,
        ]),
        [`src/calc/${id}-api.js`]: `export { ${id} } from "./${id}.js";\n`,
      },
      payload: initWork({
        interfaceFile: `src/calc/${id}-api.js`,
        contractSuite: `test/calc/${id}/contract.test.js`,
        interfaces: null,
        testPlan: [{ criterionId: `AC-1.${id}`, plannedTestName: "works", approach: "" }],
      }),
    });
}, 120_000);

test("a scaffold that is made again keeps what it leaves alone, and rescues what it changes or drops", async () => {
  const { git } = hand.world.repository;
  const before = {
    root: hand.node("calc"),
    add: hand.node("calc--add"),
    sub: hand.node("calc--sub"),
    mul: hand.node("calc--mul"),
  };
  const spawned = (id: string) =>
    hand.context.session.view.order.filter((key) => {
      const command = hand.context.session.view.commands[key]?.command;
      return command?.type === "spawn" && command.item === id;
    });
  await hand.say("calc--div", "EN");
  expect(hand.open()).toContain("calc scaffold");
  const changed = child("sub", "The subtraction, said better");
  const judged = await hand.judge("calc", "InitWork", {
    files: { "src/calc/div.js": null },
    payload: initWork({ childSpecs: [child("add"), changed] }),
  });
  expect(wrong(judged)).toEqual([]);
  expect(hand.open()).toEqual(["calc write_tests", "calc--add scaffold", "calc--sub scaffold"]);

  expect(hand.node("calc--add")).toEqual(before.add);
  expect([spawned("add"), spawned("sub"), spawned("mul")].map(({ length }) => length)).toEqual([1, 2, 1]);
  const { head, scaffold, tests: red, locked } = hand.node("calc");
  expect([head, red]).toEqual([scaffold, null]);
  expect(hand.node("calc--sub")).toMatchObject({ base: head, head, accepted: {}, locked: null });
  expect(await git("rev-parse", `mettle/${hand.run}/calc--sub`)).toBe(head);
  for (const [name, lost] of [
    ["calc-sub", before.sub.head],
    ["calc-mul", before.mul.head],
  ] as const)
    expect(await git("rev-parse", `refs/mettle/rescue/${hand.run}/${name}^`)).toBe(lost);

  // Its own tests stay locked, as they were.
  expect(locked?.required.toSorted()).toEqual(before.root.locked?.required.toSorted());
  expect(locked?.files).toEqual(before.root.locked?.files);
  const again = await hand.judge("calc", "TestsReady", {
    payload: { testsCommit: "", testFiles: [], pendingCriteria: [] },
  });
  expect(again.verdict.findings).toMatchObject([{ code: "nothing_new" }]);
}, 90_000);
