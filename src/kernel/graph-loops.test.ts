import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import {
  answers,
  graph,
  leafTo,
  pathTo,
  rootWith,
  commandLines,
  scaffoldNode,
  tested,
} from "./fixtures/graph.ts";
import { play, type Play } from "./fixtures/play.ts";
import { countersOf, endingOf, waitingAsks } from "./inspect.ts";
import { withLimits } from "./limits.ts";

const a = pathTo("a");
const frame = "work/children/children/a";

function childAt(place: Parameters<typeof leafTo>[2], protocol = graph): Play {
  const run = scaffoldNode(play(protocol), "", ["a"]);
  answers(run, "", tested);
  leafTo(run, a, place);
  return run;
}
const dispatches = (run: Play, path: string) =>
  run.commands.filter((command) => command.type === "dispatch" && command.path === `${a}${path}`);
const attempts = (run: Play) => dispatches(run, "impl").map(({ counters }) => counters["attempt"]?.value);

verifies("V3-17", "attempts are counted from 1, and a retry requested at the fifth is Stuck", () => {
  const run = childAt("impl");
  for (let n = 1; n <= 5; n++) run.answer(`${a}impl`, "RequestRetry", { payload: `sha256:${n}` });
  expect(attempts(run)).toEqual([1, 2, 3, 4, 5]);
  expect(
    dispatches(run, "impl")
      .slice(1)
      .map(({ causes }) => causes.at(-1)?.payload),
  ).toEqual(["sha256:1", "sha256:2", "sha256:3", "sha256:4"]);
  expect(commandLines(run.latest())).toEqual(["dispatch scaffold"]);
  expect(endingOf(run.state(), frame)).toMatchObject({
    outcome: "failed.stuck",
    exit: { outcome: "RequestRetry", payload: "sha256:5" },
    trip: { counter: "attempt", value: 5, limit: 5 },
  });
});

verifies("V3-18", "a refuted TestsPassed counts as an attempt, an unchecked one does not", () => {
  const run = childAt("impl");
  run.answer(`${a}impl`, "TestsPassed");
  run.answer(`${a}green_gate`, "fail", { payload: "sha256:failing" });
  expect(run.latest()[0]).toMatchObject({ path: `${a}impl`, causes: [{ payload: "sha256:failing" }] });
  run.answer(`${a}impl`, "TestsPassed");
  run.answer(`${a}green_gate`, "inconclusive");
  expect(waitingAsks(run.state()).map(({ as }) => as)).toEqual(["inconclusive"]);
  run.answer(`${a}impl_paused`, "resume");
  expect(commandLines(run.latest())).toEqual([`check ${a}green_gate`]);
  for (let n = 2; n <= 4; n++)
    answers(run, a, [
      ["green_gate", "fail"],
      ["impl", "TestsPassed"],
    ]);
  expect(attempts(run)).toEqual([1, 2, 3, 4, 5]);
  run.answer(`${a}green_gate`, "fail");
  expect(endingOf(run.state(), frame)).toMatchObject({ trip: { counter: "attempt", value: 5 } });
});

verifies("V3-16", "MoreTests counts no attempt, and goes to TDD or directly to Impl", () => {
  const run = childAt("impl");
  run.answer(`${a}impl`, "RequestRetry");
  answers(run, a, [
    ["impl", "TestsPassed"],
    ["green_gate", "pass"],
  ]);
  run.answer(`${a}review`, "MoreTests", { payload: "sha256:critiques" });
  expect(run.latest()[0]).toMatchObject({
    path: `${a}work/tests/write_tests`,
    mode: "WriteTests",
    thread: { type: "continue" },
    causes: [{ payload: "sha256:critiques" }],
  });
  answers(run, a, [
    ...tested,
    ["impl", "TestsPassed"],
    ["green_gate", "pass"],
    ["review", "MoreTests.fix_impl"],
  ]);
  expect(commandLines(run.latest())).toEqual([`dispatch ${a}impl`]);
  expect(attempts(run)).toEqual([1, 2, 2, 2]);
});

describe("every loop", () => {
  /** Loops until the node ends or asks. Returns how often its dispatch ran, and the limit that ended it. */
  const rounds = {
    moreTests: {
      at: "impl",
      path: "review",
      round: [
        ["impl", "TestsPassed"],
        ["green_gate", "pass"],
        ["review", "MoreTests.fix_impl"],
      ],
    },
    merge: {
      at: "impl",
      path: "merger",
      round: [
        ["impl", "TestsPassed"],
        ["green_gate", "pass"],
        ["review", "Approved"],
        ["candidate", "ready"],
        ["judge", "Approved"],
        ["merger", "MergeRejected"],
      ],
    },
    scaffold: {
      at: "impl",
      path: "scaffold",
      round: [["impl", "BlockedDependency"], ["scaffold", "InitWork"], ["scaffold_gate", "pass"], ...tested],
    },
    attempt: { at: "impl", path: "impl", round: [["impl", "RequestRetry"]] },
    batch: {
      at: "work/tests/write_tests",
      path: "work/tests/write_tests",
      round: [
        ["work/tests/write_tests", "TestsReady"],
        ["work/tests/tests_gate", "fail"],
      ],
    },
  } as const;
  const end = (name: keyof typeof rounds, protocol = graph) => {
    const { at, path, round } = rounds[name];
    const run = childAt(at, protocol);
    while (run.state().frames[frame]?.outcome === null)
      for (const [step, outcome] of round) {
        run.answer(`${a}${step}`, outcome);
        if (run.state().frames[frame]?.outcome !== null) break;
      }
    const ending = endingOf(run.state(), frame);
    return { tries: dispatches(run, path).length, outcome: ending?.outcome, limit: ending?.trip?.counter };
  };

  verifies(
    "V3-19",
    "is bounded by 5 or by limits.graph, and ends its node as Stuck with the limit's name",
    () => {
      for (const name of ["moreTests", "merge", "scaffold", "attempt", "batch"] as const) {
        expect(end(name)).toEqual({ tries: 5, outcome: "failed.stuck", limit: name });
        expect(end(name, withLimits(graph, { graph: 2 }))).toEqual({
          tries: 2,
          outcome: "failed.stuck",
          limit: name,
        });
        expect(end(name, withLimits(graph, { graph: 2, [name]: 3 })).tries).toBe(3);
      }
      const limits = (protocol: typeof graph) =>
        Object.values(protocol.machines).map(({ counters }) =>
          Object.fromEntries(Object.entries(counters).map(([name, { limit }]) => [name, limit])),
        );
      const beside = { disputes: 2, repairs: 1, retry: 2, memory: 2 };
      const all = (limit: number) => ({
        attempt: limit,
        scaffold: limit,
        batch: limit,
        moreTests: limit,
        merge: limit,
        contracts: limit,
        ...beside,
      });
      expect(limits(graph)).toEqual([all(5), all(5)]);
      expect(limits(withLimits(graph, { graph: 3 }))).toEqual([all(3), all(3)]);
      const rejected = childAt("impl");
      rejected.answer(`${a}impl`, "RequestRetry");
      answers(rejected, a, rounds.merge.round);
      expect(countersOf(graph, rejected.state(), frame)["attempt"]?.value).toBe(2);
      answers(rejected, a, rounds.scaffold.round);
      expect(attempts(rejected)).toEqual([1, 2, 2, 1]);
    },
  );

  test("that runs out at the root asks a person by name, and continues when approved", () => {
    const run = rootWith();
    answers(run, "", tested);
    for (let n = 1; n <= 5; n++) run.answer("impl", "RequestRetry");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        state: "stuck",
        as: "escalated",
        answers: ["context", "approach", "reset"],
        trip: { counter: "attempt", value: 5, limit: 5 },
      }),
    ]);
    run.answer("stuck", "context", { payload: "sha256:advice" });
    expect(run.latest()).toEqual([
      expect.objectContaining({
        path: "impl",
        counters: expect.objectContaining({ attempt: { value: 1, limit: 5 } }),
      }),
    ]);
    expect(run.latest()[0]?.causes.at(-1)?.payload).toBe("sha256:advice");
    for (const [exit, ask] of [
      ["Stuck", "stuck"],
      ["Reject", "rejected"],
    ] as const) {
      const stuck = rootWith();
      answers(stuck, "", [...tested, ["impl", "RequestRetry"]]);
      if (exit === "Reject")
        answers(stuck, "", [
          ["impl", "TestsPassed"],
          ["green_gate", "pass"],
        ]);
      stuck.answer(exit === "Reject" ? "review" : "impl", exit);
      expect(commandLines(stuck.latest())).toEqual([`ask ${ask}${exit === "Reject" ? " ReviewImpl" : ""}`]);
      stuck.answer(ask, "approach");
      expect(stuck.latest()).toEqual([
        expect.objectContaining({
          path: "impl",
          counters: expect.objectContaining({ attempt: { value: 1, limit: 5 } }),
        }),
      ]);
    }
  });
});
