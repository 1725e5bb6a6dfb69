import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import {
  graph,
  items,
  leafTo,
  pathTo,
  rootWith,
  commandLines,
  scaffoldNode,
  tested,
  answers,
} from "./fixtures/graph.ts";
import { play, type Play } from "./fixtures/play.ts";
import { blockersOf } from "../testing/blockers.ts";

const a = pathTo("a");

/** Child `a` of a root with accepted tests, at a step of its successful path. */
function childAt(place: Parameters<typeof leafTo>[2] | "scaffold"): Play {
  const run = rootWith("a");
  answers(run, "", tested);
  if (place !== "scaffold") leafTo(run, a, place);
  return run;
}

describe("InitWork", () => {
  for (const [what, given] of [
    ["without items", undefined],
    ["with none", []],
    ["with two", ["x", "y"]],
  ] as const)
    verifies(
      "V3-02",
      `${what}: its gate's pass starts children and tests in one step, and Impl is held`,
      () => {
        const run = play(graph);
        run.answer("scaffold", "InitWork", given === undefined ? {} : { items: items(...given) });
        expect(commandLines(run.latest())).toEqual(["check scaffold_gate"]);
        run.answer("scaffold_gate", "pass");
        const children = (given ?? []).flatMap((id) => [
          `spawn work/children/children/${id}`,
          `dispatch ${pathTo(id)}scaffold`,
        ]);
        expect(commandLines(run.latest())).toEqual([
          "dispatch work/tests/write_tests WriteTests",
          ...children,
        ]);
        expect(blockersOf(graph, run.state(), "main")).toEqual([
          { type: "region", name: "tests", state: "write_tests" },
          ...(children.length === 0 ? [] : [{ type: "region", name: "children", state: "children" }]),
          ...(given ?? []).map((item) => ({ type: "child", item, outcome: null })),
        ]);
      },
    );
});

describe("each exit of Scaffold, TDD and Impl", () => {
  verifies("V3-11", "leads to exactly these commands and no other", () => {
    type At = Parameters<typeof childAt>[0];
    const table: readonly (readonly [
      At,
      string,
      readonly string[],
      (readonly [string, readonly string[]])?,
    ])[] = [
      [
        "scaffold",
        "InitWork",
        [`check ${a}scaffold_gate`],
        [
          "scaffold_gate",
          [
            `dispatch ${a}work/tests/write_tests WriteTests`,
            `spawn ${a}work/children/children/x`,
            `dispatch ${pathTo("a", "x")}scaffold`,
          ],
        ],
      ],
      ["scaffold", "ClarificationNeeded", [`ask ${a}clarify`, "dispatch scaffold"]],
      [
        "work/tests/write_tests",
        "TestsReady",
        [`check ${a}work/tests/tests_gate`],
        ["work/tests/tests_gate", [`dispatch ${a}impl`]],
      ],
      ["work/tests/write_tests", "InvalidScaffold", [`dispatch ${a}scaffold`]],
      ["review", "Approved", [`merge ${a}candidate`]],
      ["review", "MoreTests", [`dispatch ${a}work/tests/write_tests WriteTests`]],
      ["review", "Reject", ["dispatch scaffold"]],
      ["impl", "TestsPassed", [`check ${a}green_gate`], ["green_gate", [`dispatch ${a}review ReviewImpl`]]],
      ["impl", "RequestRetry", [`dispatch ${a}impl`]],
      ["impl", "BlockedDependency", [`dispatch ${a}scaffold`]],
      ["impl", "SpecAmbiguity", [`dispatch ${a}scaffold`]],
      ["impl", "Stuck", ["dispatch scaffold"]],
    ];
    for (const [place, exit, commands, after] of table) {
      const run = childAt(place);
      run.answer(`${a}${place}`, exit, exit === "InitWork" ? { items: items("x") } : {});
      expect([exit, commandLines(run.latest())]).toEqual([exit, commands]);
      if (!after) continue;
      run.answer(`${a}${after[0]}`, "pass");
      expect([exit, commandLines(run.latest())]).toEqual([exit, after[1]]);
    }
    const ends = (exit: string, place: At) => {
      const run = childAt(place);
      run.answer(`${a}${place}`, exit);
      expect(run.latest().at(-1)?.causes).toEqual([
        expect.objectContaining({ path: "work/children/children/a" }),
      ]);
      return run.state().frames["work/children/children/a"]?.outcome;
    };
    expect([
      ends("Reject", "review"),
      ends("Stuck", "impl"),
      ends("ClarificationNeeded", "scaffold"),
    ]).toEqual(["failed.rejected", "failed.stuck", null]);
  });

  verifies("V3-03", "TDD has one mode at a time, and an exit of the other mode changes nothing", () => {
    const run = rootWith();
    for (const exit of ["Approved", "MoreTests", "Reject", "SpawnTree"]) {
      const before = run.state();
      expect(run.send({ type: "result", key: "work/tests/write_tests#1", outcome: exit })).toBe(
        `${exit} is no answer to work/tests/write_tests#1`,
      );
      expect(run.state()).toBe(before);
    }
    answers(run, "", [...tested, ["impl", "TestsPassed"], ["green_gate", "pass"]]);
    for (const exit of ["TestsReady", "InvalidScaffold"])
      expect(run.send({ type: "result", key: "review#1", outcome: exit })).toBe(
        `${exit} is no answer to review#1`,
      );
    run.answer("review", "MoreTests");
    expect(commandLines(run.latest())).toEqual(["dispatch work/tests/write_tests WriteTests"]);
  });
});

describe("the exits of Merger and Rebaser", () => {
  const merging = () => {
    const run = rootWith("a", "b");
    answers(run, "", tested);
    leafTo(run, a, "publish");
    return run;
  };

  verifies(
    "V3-12",
    "MergeComplete is reported to the parent and to the sibling's Rebaser, and ends the node",
    () => {
      const run = merging();
      const b = pathTo("b");
      run.answer(`${b}scaffold`, "InitWork");
      run.answer(`${a}publish`, "done", { payload: "sha256:merge" });
      expect(commandLines(run.latest())).toEqual([]);
      run.answer(`${b}scaffold_gate`, "pass");
      expect(commandLines(run.latest())).toEqual([`rebase ${b}sibling_merged/rebase`]);
      expect(run.latest()[0]?.causes.map(({ payload }) => payload)).toEqual(["sha256:merge"]);
      expect(blockersOf(graph, run.state(), "main").filter(({ type }) => type === "child")).toEqual([
        { type: "child", item: "b", outcome: null },
      ]);
    },
  );

  verifies(
    "V3-12",
    "MergeRejected, by the runtime or the agent, goes to Impl with its payload and counts no attempt",
    () => {
      for (const [place, outcome] of [
        ["candidate", "rejected"],
        ["merger", "MergeRejected"],
      ] as const) {
        const run = rootWith("a");
        answers(run, "", tested);
        leafTo(run, a, place);
        run.answer(`${a}${place}`, outcome, { payload: "sha256:reason" });
        expect(commandLines(run.latest())).toEqual([`dispatch ${a}impl`]);
        expect(run.latest()[0]).toMatchObject({
          thread: { type: "continue" },
          causes: [{ outcome, payload: "sha256:reason" }],
          counters: { attempt: { value: 1 }, merge: { value: 2 } },
        });
      }
    },
  );

  const interrupted = () => {
    const run = merging();
    const b = pathTo("b");
    scaffoldNode(run, b);
    run.answer(`${b}work/tests/write_tests`, "TestsReady");
    run.answer(`${a}publish`, "done");
    run.answer(`${b}work/tests/tests_gate`, "pass");
    return { run, b };
  };

  verifies(
    "V3-13",
    "RebaseClean continues in the node's state, RebaseAdapted is checked first, RebaseConflict goes to Scaffold",
    () => {
      const { run, b } = interrupted();
      run.answer(`${b}sibling_merged/rebase`, "RebaseClean");
      expect(commandLines(run.latest())).toEqual([`dispatch ${b}impl`]);
      const adapted = interrupted();
      answers(adapted.run, b, [
        ["sibling_merged/rebase", "repair"],
        ["sibling_merged/rebaser", "RebaseAdapted"],
      ]);
      expect(commandLines(adapted.run.latest())).toEqual([`check ${b}sibling_merged/rebase_gate`]);
      adapted.run.answer(`${b}sibling_merged/rebase_gate`, "pass");
      expect(commandLines(adapted.run.latest())).toEqual([`dispatch ${b}impl`]);
      const conflict = interrupted();
      conflict.run.answer(`${b}sibling_merged/rebase`, "repair");
      conflict.run.answer(`${b}sibling_merged/rebaser`, "RebaseConflict", { payload: "sha256:conflict" });
      expect(commandLines(conflict.run.latest())).toEqual([`dispatch ${b}scaffold`]);
      expect(conflict.run.latest()[0]?.causes.map(({ payload }) => payload)).toEqual(["sha256:conflict"]);
    },
  );

  test("a second failure after a rebase is a conflict, and so is a failure that is not mechanical", () => {
    const { run, b } = interrupted();
    answers(run, b, [
      ["sibling_merged/rebase", "repair"],
      ["sibling_merged/rebaser", "RebaseAdapted"],
      ["sibling_merged/rebase_gate", "fail"],
    ]);
    expect(commandLines(run.latest())).toEqual([`dispatch ${b}sibling_merged/rebaser`]);
    answers(run, b, [
      ["sibling_merged/rebaser", "RebaseClean"],
      ["sibling_merged/rebase_gate", "fail"],
    ]);
    expect(commandLines(run.latest())).toEqual([`dispatch ${b}scaffold`]);
    const semantic = interrupted();
    answers(semantic.run, b, [
      ["sibling_merged/rebase", "repair"],
      ["sibling_merged/rebaser", "RebaseAdapted"],
      ["sibling_merged/rebase_gate", "fail.semantic"],
    ]);
    expect(commandLines(semantic.run.latest())).toEqual([`dispatch ${b}scaffold`]);
  });
});
