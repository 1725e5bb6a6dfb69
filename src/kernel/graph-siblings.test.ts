import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import {
  answers,
  graph,
  leafTo,
  merged,
  pathTo,
  rootWith,
  commandLines,
  scaffoldNode,
  tested,
} from "./fixtures/graph.ts";
import type { Play } from "./fixtures/play.ts";
import { fold } from "./step.ts";

const [a, b, c, d] = [pathTo("a"), pathTo("b"), pathTo("c"), pathTo("d")];
const rebases = (run: Play, node: string) =>
  run.commands
    .filter(
      ({ type, path }) =>
        type === "rebase" && path.startsWith(node) && !path.slice(node.length).includes("children/"),
    )
    .map(({ causes }) => causes.map(({ path }) => path).join());

function withTests(...children: string[]): Play {
  const run = rootWith(...children);
  answers(run, "", tested);
  return run;
}

test("a step leaves the frames of other subtrees as they are, and the state before it too", () => {
  const run = withTests("a", "b", "c", "d");
  const before = run.state();
  const text = JSON.stringify(before);
  answers(run, a, [["scaffold", "InitWork"]]);
  const after = run.state();
  expect(after).not.toEqual(before);
  expect(JSON.stringify(before)).toBe(text);
  const shared = Object.keys(after.frames).filter((id) => after.frames[id] === before.frames[id]);
  expect(shared.map((id) => `${id}/`)).toEqual([b, c, d]);
});

describe("a merge", () => {
  verifies("V3-21", "is broadcast once to each running sibling, in merge order, and to no other node", () => {
    const run = withTests("a", "b", "c", "d");
    scaffoldNode(run, d, ["x"]);
    answers(run, d, [["work/tests/write_tests", "TestsReady"]]);
    leafTo(run, a, "publish");
    leafTo(run, b, "candidate");
    // No operation starts between the two merges: d is at its gate, c at its scaffold.
    run.answer(`${a}publish`, "done");
    expect(commandLines(run.latest())).toEqual([`rebase ${b}sibling_merged/rebase`]);
    run.answer(`${b}sibling_merged/rebase`, "RebaseClean");
    answers(run, b, merged);
    run.answer(`${c}scaffold`, "InitWork");
    answers(run, c, [
      ["sibling_merged/rebase", "RebaseClean"],
      ["sibling_merged/rebase", "RebaseClean"],
    ]);
    expect(commandLines(run.latest())).toEqual([`check ${c}scaffold_gate`]);
    answers(run, d, [
      ["work/tests/tests_gate", "pass"],
      ["sibling_merged/rebase", "RebaseClean"],
      ["sibling_merged/rebase", "RebaseClean"],
    ]);
    const merges = [`${a}publish`, `${b}publish`];
    expect([a, b, c, d].map((node) => rebases(run, node))).toEqual([[], [`${a}publish`], merges, merges]);
    // The cousin gets it from its own parent, once per rebase of that parent.
    run.answer(`${pathTo("d", "x")}scaffold`, "InitWork");
    expect(rebases(run, pathTo("d", "x"))).toEqual([`${d}sibling_merged/rebase`]);
  });

  verifies("V3-22", "reaches the deepest level, each before it may merge", () => {
    const run = withTests("a", "b");
    scaffoldNode(run, b, ["b1"]);
    answers(run, b, tested);
    const b1 = pathTo("b", "b1");
    scaffoldNode(run, b1, ["b2"]);
    const b2 = pathTo("b", "b1", "b2");
    answers(run, b1, tested);
    leafTo(run, b2, "merger");
    leafTo(run, a, "publish");
    run.answer(`${a}publish`, "done");
    expect(commandLines(run.latest())).toEqual([`rebase ${b}sibling_merged/rebase`]);
    run.answer(`${b}sibling_merged/rebase`, "RebaseClean");
    expect(commandLines(run.latest())).toEqual([`rebase ${b1}sibling_merged/rebase`]);
    run.answer(`${b1}sibling_merged/rebase`, "RebaseClean");
    expect(run.latest()).toEqual([]);
    run.answer(`${b2}merger`, "MergeComplete");
    expect(commandLines(run.latest())).toEqual([`rebase ${b2}sibling_merged/rebase`]);
    run.answer(`${b2}sibling_merged/rebase`, "RebaseClean");
    expect(commandLines(run.latest())).toEqual([`merge ${b2}candidate`]);
  });

  test("follows the previous one: the next squash is made on the branch that the first moved", () => {
    const run = withTests("a", "b", "c");
    leafTo(run, b, "candidate");
    leafTo(run, a, "candidate");
    expect(run.open()).toEqual([`${c}scaffold`, `${b}candidate`]);
    answers(run, b, merged.slice(0, 3));
    run.answer(`${b}publish`, "moved");
    expect(commandLines(run.latest())).toEqual([`merge ${b}candidate`]);
    answers(run, b, merged);
    expect(run.open()).toEqual([`${c}scaffold`, `${a}sibling_merged/rebase`]);
    run.answer(`${a}sibling_merged/rebase`, "RebaseClean");
    expect(commandLines(run.latest())).toEqual([`merge ${a}candidate`]);
  });

  test("that was judged is judged again after a rebase, and no person is asked about a stale one meanwhile", () => {
    const run = withTests("a", "b");
    leafTo(run, b, "publish");
    leafTo(run, a, "candidate");
    run.answer(`${b}publish`, "inconclusive");
    answers(run, a, merged.slice(0, 3));
    run.answer(`${a}publish`, "done");
    expect(commandLines(run.latest())).toEqual([`rebase ${b}sibling_merged/rebase`]);
    run.answer(`${b}sibling_merged/rebase`, "RebaseClean");
    expect(commandLines(run.latest())).toEqual([`cancel cancel/${b}merger_paused`, `merge ${b}candidate`]);
    run.answer(`${b}candidate`, "ready");
    expect(commandLines(run.latest())).toEqual([`dispatch ${b}judge ReviewImpl`]);
  });
});

describe("a rebase", () => {
  test("waits for the node's agent, and blocks the node until it is over; other nodes continue", () => {
    const run = withTests("a", "b", "c");
    leafTo(run, a, "publish");
    scaffoldNode(run, b);
    run.answer(`${a}publish`, "done");
    expect(run.open()).toEqual([`${c}scaffold`, `${b}work/tests/write_tests`]);
    run.answer(`${b}work/tests/write_tests`, "TestsReady");
    expect(run.open()).toEqual([`${c}scaffold`, `${b}sibling_merged/rebase`]);
    run.answer(`${c}scaffold`, "InitWork");
    run.answer(`${b}sibling_merged/rebase`, "repair");
    expect(run.open()).toEqual([`${c}sibling_merged/rebase`, `${b}sibling_merged/rebaser`]);
    // Killed and folded again, it is in the same state.
    expect(JSON.stringify(fold(graph, run.events))).toBe(JSON.stringify(run.state()));
    answers(run, b, [
      ["sibling_merged/rebaser", "RebaseAdapted"],
      ["sibling_merged/rebase_gate", "pass"],
    ]);
    expect(commandLines(run.latest())).toEqual([`check ${b}work/tests/tests_gate`]);
  });
});
