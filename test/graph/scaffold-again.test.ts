// @module-tag ci
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { beforeAll, describe, expect } from "vitest";
import type { Command } from "../../src/kernel/command.ts";
import type { Recorded } from "../../src/log/run-event.ts";
import { InitWork } from "../../src/protocol/graph-types/scaffold.ts";
import { recorded } from "../../src/run/list-runs.ts";
import { treeStatus } from "../../src/families/graph/view/tree-status.ts";
import { openRun } from "../../src/families/open-run.ts";
import { verifyRun } from "../../src/verify/verify-run.ts";
import { flattenNodes, type NodeStatus } from "../../src/views/tree/tree-status.ts";
import { answerNone, eventsOf, type DriveResult, type TurnFile, type World } from "../orchestrate/world.ts";
import { callIn } from "../cli/here.ts";
import { newFolder } from "../support/folder.ts";
import { verifies } from "../verifies.ts";
import {
  byHand,
  calc,
  calcFiles,
  initWork as byHandWork,
  scaffoldFiles,
  stub,
  tests,
  wrong,
  type ByHand,
} from "./by-hand.ts";
import {
  childSpec,
  files,
  initWork,
  nodesOf,
  report,
  signals,
  specOf,
  write,
  type TreeNode,
} from "./story.ts";
import { createTreeWorld, logText, type NodeRoles } from "./world.ts";

let hand: ByHand;

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
    payload: byHandWork({ childSpecs: ["add", "sub", "mul", "div", "neg"].map((id) => child(id)) }),
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
      payload: byHandWork({
        interfaceFile: `src/calc/${id}-api.js`,
        contractSuite: `test/calc/${id}/contract.test.js`,
        interfaces: null,
        testPlan: [{ criterionId: `AC-1.${id}`, plannedTestName: "works", approach: "" }],
      }),
    });
  // A fifth one is already merged according to its parent.
  for (const said of ["InitWork", "pass", "TestsReady", "pass", "TestsPassed", "pass"])
    await hand.say("calc--neg", said);
  await hand.merge("calc--neg", { "src/calc/neg.js": "export const neg = (a) => -a;\n" });
});

verifies(
  "V3-09",
  "a repeated scaffold keeps what it does not change, and rescues what it changes or drops",
  async () => {
    const { git } = hand.world.repository;
    const before = {
      root: hand.node("calc"),
      add: hand.node("calc--add"),
      neg: hand.node("calc--neg"),
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
      payload: byHandWork({ childSpecs: [child("add"), changed, child("neg")] }),
    });
    expect(wrong(judged)).toEqual([]);
    expect(hand.open()).toEqual(["calc write_tests", "calc--add scaffold", "calc--sub scaffold"]);

    expect(hand.node("calc--add")).toEqual(before.add);
    expect(hand.node("calc--neg")).toEqual(before.neg);
    expect(await hand.textAt(hand.node("calc").head, "src/calc/neg.js")).toContain("-a");
    const times = () => ["add", "sub", "mul", "neg"].map((id) => spawned(id).length);
    expect(times()).toEqual([1, 2, 1, 1]);
    const { head, scaffold, tests: red, locked } = hand.node("calc");
    expect([head, red]).toEqual([scaffold, null]);
    expect(hand.node("calc--sub")).toMatchObject({ base: head, head, accepted: {}, locked: null });
    expect(await git("rev-parse", `mettle/${hand.run}/calc--sub`)).toBe(head);
    for (const [name, lost] of [
      ["calc-sub", before.sub.head],
      ["calc-mul", before.mul.head],
    ] as const)
      expect(await git("for-each-ref", "--format=%(parent)", `refs/mettle/rescue/${hand.run}/${name}/`)).toBe(
        lost,
      );

    // Its own tests stay locked.
    expect(locked?.required.toSorted()).toEqual(before.root.locked?.required.toSorted());
    expect(locked?.files).toEqual(before.root.locked?.files);
    const again = await hand.judge("calc", "TestsReady", {
      payload: { testsCommit: "", testFiles: [], pendingCriteria: [] },
    });
    expect(again.verdict.findings).toMatchObject([{ code: "nothing_new" }]);
    // Its record claims no test, since none ran again.
    expect(await verifyRun(hand.context)).toMatchObject({ verdict: "pass", why: "" });

    // A changed interface between the children changes each of them.
    await hand.say("calc--add", "EN");
    const interfaces = [{ path: "src/calc/index.js", exports: ["add"] }];
    const other = await hand.judge("calc", "InitWork", {
      payload: byHandWork({ interfaces, childSpecs: [child("add"), changed, child("neg")] }),
    });
    expect(wrong(other)).toEqual([]);
    expect(times()).toEqual([2, 3, 1, 2]);
  },
);

describe("a run whose root scaffolds again", () => {
  const ids = ["a", "b", "c", "x"];
  const top: TreeNode = { id: "top", children: ids.map((id) => ({ id })) };
  const ofA = "work/children/children/a/scaffold#1";
  const half = "export const half = 1;\n";
  let world: World;
  let folder: string;
  let driven: DriveResult;
  let seen: readonly NodeStatus[];

  /** a continues, b is changed and c is dropped while they work; x fails, which leads to Scaffold again. */
  function story(): Record<string, NodeRoles> {
    const nodes = nodesOf(top);
    const { give, await: waits } = signals(folder);
    const works = (id: string): TurnFile => ({
      does: [write(`test/${id}/half.js`, half), give(`${id}-works`), { hang: true }],
    });
    const again = initWork(top, "AC-1", [{ id: "a" }, { id: "b" }]);
    const [specA, specB] = [childSpec({ id: "a" }), childSpec({ id: "b" })];
    const childSpecs = [specA, { ...specB, description: "The b, said better" }];
    const payload = { ...(again.payload as object), childSpecs };
    nodes["top"] = {
      ...nodes["top"],
      scaffold: [
        ...(nodes["top"]?.["scaffold"] ?? []),
        { expects: ["MergeFailed", "top--x"], report: { ...again, payload } },
      ],
      tdd: [...(nodes["top"]?.["tdd"] ?? []), { does: [{ hang: true }] }],
    };
    const [begun] = nodes["top--a"]?.["scaffold"] ?? [];
    nodes["top--a"] = {
      scaffold: [{ ...begun, does: [give("a-works"), waits("seen"), ...(begun?.does ?? [])] }],
    };
    const [laying] = nodes["top--b"]?.["scaffold"] ?? [];
    nodes["top--b"] = {
      scaffold: [laying ?? {}, { expects: ["The b, said better"], does: [give("b-again"), { hang: true }] }],
      tdd: [works("b")],
    };
    nodes["top--c"] = { scaffold: [works("c")] };
    const all = ["a-works", "b-works", "c-works", "top-is-tested"].map(waits);
    nodes["top--x"] = { scaffold: [{ does: all, report: report("EN", null) }] };
    return nodes;
  }

  beforeAll(async () => {
    folder = newFolder();
    world = await createTreeWorld(files);
    const cassette = { version: 1, kind: "cassette", nodes: story() };
    const run = await world.start(cassette as unknown as Parameters<World["start"]>[0], {
      task: "A top",
      protocol: "graph",
      spec: { spec: specOf(top), file: null },
      graph: { parallel: 8 },
    });
    const stop = new AbortController();
    const { fileOf } = signals(folder);
    const has = async (isIt: (event: Recorded) => boolean) =>
      (await world.host.journal.read(run)).map(recorded).some(isIt);
    let isOver = false;
    const until = async (isDone: () => boolean | Promise<boolean>) => {
      while (!(await isDone())) {
        if (isOver) throw new Error("the run ended before what is waited for came");
        await new Promise((done) => setTimeout(done, 200));
      }
    };
    const play = async () => {
      await until(() => has((event) => event.type === "node.tested" && event.node === "top"));
      await writeFile(fileOf("top-is-tested"), "");
      await until(() => existsSync(fileOf("b-again")));
      const { nodes } = await treeStatus(await openRun(world.host, { run }), process.pid);
      seen = flattenNodes(nodes);
      await writeFile(fileOf("seen"), "");
      await until(() => has((event) => event.type === "result" && event.key === ofA));
    };
    const driving = world.drive(run, answerNone, stop.signal).finally(() => (isOver = true));
    const bound = setTimeout(() => stop.abort(), 200_000);
    [driven] = await Promise.all([driving, play().finally(() => stop.abort())]);
    clearTimeout(bound);
    if (process.env["SHOW"]) console.log(logText(driven.events));
  }, 240_000);

  verifies(
    "V3-09",
    "leaves an unchanged child at work, rescues and restarts a changed one, cancels a dropped one, and keeps its tests locked",
    async () => {
      const { run, events, context } = driven;
      const { git } = world.repository;
      expect(seen.map(({ nodeId, state }) => [nodeId, state])).toEqual([
        ["top", "write_tests"],
        ["top--a", "scaffold"],
        ["top--b", "scaffold"],
        ["top--c", "cancelled"],
        ["top--x", "cancelled"],
      ]);
      const status = await callIn(world, ["status", run]);
      expect(status.stdout).toMatch(/top--c +cancelled/u);
      const spawned = eventsOf(events, "command.issued").flatMap(({ key, command }) => {
        const { type, item } = command as Extract<Command, { type: "spawn" }>;
        return type === "spawn" ? [[item, key]] : [];
      });
      const keys = (id: string) => spawned.flatMap(([item, key]) => (item === id ? [key] : []));
      expect(ids.map((id) => new Set(keys(id)).size)).toEqual([1, 2, 1, 1]);
      // a was not affected: its working agent continued to its decision.
      const startsOfA = eventsOf(events, "dispatch.started").filter(({ node }) => node === "top--a");
      expect(startsOfA.map(({ key }) => key)).toEqual([ofA]);
      expect(context.session.view.commands[ofA]?.result?.outcome).toBe("InitWork");
      expect(eventsOf(events, "node.began").map(({ node }) => node)).toEqual([
        "top",
        ...ids.map((id) => `top--${id}`),
        "top--b",
      ]);

      const rescued = eventsOf(events, "work.rescued");
      const kept = (key: string) => rescued.find((event) => event.ref.includes(`/${run}/${key}`))?.ref ?? "";
      const [first] = eventsOf(events, "node.accepted").filter(({ node }) => node === "top--b");
      const { scaffoldCommit } = InitWork.parse(JSON.parse(await context.payloads.text(first?.ref ?? "")));
      expect(await git("rev-parse", `${kept("top-b")}^`)).toBe(scaffoldCommit);
      // The work that they had not yet reported.
      for (const id of ["b", "c"]) {
        const ref = kept(`work-children-children-${id}-`);
        expect(ref).toMatch(/^refs\/mettle\/rescue\//u);
        expect(`${await git("show", `${ref}:test/${id}/half.js`)}\n`).toBe(half);
      }

      const locks = eventsOf(events, "node.locked").filter(({ node }) => node === "top");
      expect(locks).toHaveLength(3);
      const [, before, after] = locks;
      expect(after?.files).toEqual(before?.files);
      expect(after?.required.toSorted()).toEqual(before?.required.toSorted());
      expect(after?.required.join("\n")).toContain("AC-c: gives its name");
    },
  );
});
