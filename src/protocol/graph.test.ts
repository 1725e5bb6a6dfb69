/** The shipped graph as a file: its nodes, its exits, and what the checker misses in copies that lack something. */
import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { load } from "./fixtures/sources.ts";
import { toMermaid } from "./mermaid.ts";
import { allSpots } from "./levels.ts";

const graph = load("graph");
const spots = Object.values(graph.machines).flatMap(allSpots);
const nodes = ["Impl", "Merger", "Rebaser", "Scaffold", "TDD"];

describe("the graph", () => {
  verifies(
    "V3-01",
    "has five nodes: Mermaid groups every state into them, and no Judge, SpawnTree or InitLeaf is left",
    () => {
      const groups: (string | undefined)[] = [];
      const drawn: { group: string; state: string }[] = [];
      for (const line of toMermaid(graph)
        .split("\n")
        .map((each) => each.trim())) {
        if (line === "end") groups.pop();
        const box = /^subgraph n\d+\["(.*)"\]$/u.exec(line)?.[1];
        if (line.startsWith("subgraph")) groups.push(box);
        const state = /^n\d+(?:\[|\{\{)"([a-z_]+): /u.exec(line)?.[1];
        if (state !== undefined) drawn.push({ group: groups.at(-1) ?? "", state });
      }
      expect(drawn.map(({ state }) => state).toSorted()).toEqual(
        spots.map(({ state }) => state.name).toSorted(),
      );
      expect([...new Set(drawn.map(({ group }) => group))].toSorted()).toEqual(nodes);
      const visible = (group: string) =>
        drawn.filter((each) => each.group === group).map(({ state }) => state);
      expect(visible("Merger")).toEqual(expect.arrayContaining(["candidate", "merger", "publish"]));
      expect(visible("Rebaser")).toEqual(expect.arrayContaining(["rebase", "rebaser", "rebase_gate"]));
      const reports = spots.flatMap(({ state }) => (state.kind === "dispatch" ? state.reports : []));
      const exits = new Set(reports.map((report) => report.split(".")[0]));
      expect([...exits].toSorted()).toEqual([
        "Approved",
        "BlockedDependency",
        "ClarificationNeeded",
        "EN",
        "InitWork",
        "InvalidScaffold",
        "MergeComplete",
        "MergeRejected",
        "MoreTests",
        "RebaseAdapted",
        "RebaseClean",
        "RebaseConflict",
        "Reject",
        "RequestRetry",
        "SpecAmbiguity",
        "Stuck",
        "TI",
        "TestsPassed",
        "TestsReady",
      ]);
      expect(Object.keys(graph.roles).filter((role) => /judge/iu.test(role))).toEqual([]);
    },
  );

  test("forks threads as the promises say: from Scaffold, from TDD before Impl, from the parent's", () => {
    const threads = Object.fromEntries(
      allSpots(graph.machines["node"] ?? raise("no node")).flatMap(({ state }) =>
        state.kind === "dispatch" ? [[state.name, state.thread]] : [],
      ),
    );
    expect(threads).toEqual({
      scaffold: { type: "fork", of: "parent", state: "scaffold" },
      write_tests: { type: "fork", of: "self", state: "scaffold" },
      impl: { type: "fork", of: "self", state: "scaffold" },
      review: { type: "fork", of: "self", state: "write_tests" },
      judge: { type: "fork", of: "parent", state: "write_tests" },
      merger: { type: "fresh" },
      rebaser: { type: "fresh" },
    });
  });
});

function raise(what: string): never {
  throw new Error(what);
}
