/**
 * A failing seed is reported with its faults; `simulate(graph, seed)` replays it.
 * @module-tag ci
 */
import { describe, expect, test } from "vitest";
import { protocolNamed, withReplacements } from "./fixtures/protocols.ts";
import { simulate, type SimulationResult } from "./fixtures/tree/simulate.ts";

const isDeep = process.env["METTLE_DEEP"] !== undefined;
const seeds = isDeep ? 10_000 : 300;
const graph = protocolNamed("graph");

test(`${seeds} random trees with injected faults keep every rule of a tree, and end or wait for a person`, () => {
  const ends = new Map<string, number>();
  const seen = new Map<string, number>();
  let events = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const run = simulate(graph, seed);
    expect({ seed, faults: run.faults }).toEqual({ seed, faults: [] });
    add(ends, run.end, 1);
    events += run.events;
    for (const [what, count] of Object.entries(run.seen)) add(seen, what, count);
  }
  if (isDeep) console.log({ seeds, events, ...Object.fromEntries(ends), ...Object.fromEntries(seen) });
  // A case that never occurred proves nothing.
  expect(events).toBeGreaterThan(seeds * 30);
  expect([...ends.keys()].toSorted()).toEqual(["complete", "halted", "waits for a person"]);
  for (const [what, count] of seen) expect([what, count > 10]).toEqual([what, true]);
}, 1_800_000);

describe("the rules detect a protocol that breaks them", () => {
  const broken: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
    ["merges at once", "merge at once", [["        lock: merging\n", ""]]],
    ["a squash that is out of date", "needs squash", [["resumed: candidate", "resumed: self"]]],
    ["a merge without a judge", "without a judge", [["ready: judge", "ready: merger"]]],
    [
      "a missing broadcast",
      "before it rebased",
      [["done: { to: ^merged, do: [{ emit: sibling_merged, to: siblings }] }", "done: ^merged"]],
    ],
    [
      "a rebase that stays above",
      "before it rebased",
      [[", do: [{ emit: sibling_merged, to: children }]", ""]],
    ],
    [
      "a child that is reopened in its old state",
      "before it rebased",
      [["{ count: contracts }, { emit: sibling_merged, to: children }", "{ count: contracts }"]],
    ],
    ["tests that were not run", "without tests", [["TestsReady: tests_gate", "TestsReady: ^ready"]]],
    ["contracts that were not run", "before its contracts passed", [["merged: contracts", "merged: ^ready"]]],
    [
      "Impl without a child",
      /before [a-e] merged/u.source,
      [
        ["join: [merged]", "join: [failed, merged]"],
        ["                  asked: *again\n", ""],
        ["failed: &again", "asked: &again"],
        ["on: { merged:", "on: { failed: contracts, merged:"],
      ],
    ],
    [
      "attempts that are not counted",
      "is the 2th",
      [
        [
          "RequestRetry: { to: impl, thread: continue, do: [{ count: attempt }] }",
          "RequestRetry: { to: impl, thread: continue }",
        ],
      ],
    ],
    [
      "a parent that is never notified",
      "before its parent acknowledged",
      [["                  asked: *again\n", ""]],
    ],
  ];
  test.each(broken)("%s", (_, fault, words) => {
    const protocol = withReplacements("graph", words);
    let found: SimulationResult["faults"] = [];
    for (let seed = 1; seed <= seeds && found.length === 0; seed++) found = simulate(protocol, seed).faults;
    expect(found.join("\n")).toMatch(new RegExp(fault, "u"));
  });
});

function add(counts: Map<string, number>, what: string, more: number): void {
  counts.set(what, (counts.get(what) ?? 0) + more);
}
