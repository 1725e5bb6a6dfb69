import { expect, test } from "vitest";
import { build, type MachineText } from "./fixtures/build.ts";
import { play, type Play } from "./fixtures/play.ts";

const child: MachineText = {
  start: "work",
  errors: { ME: "^failed", TO: "^failed", EX: "^failed", BL: "question", abort: "^failed" },
  states: {
    work: { dispatch: "coder", thread: "fresh", on: { DONE: "^done" } },
    question: { ask: "What is meant?", to: "parent", on: { answer: "work" } },
  },
};
const main: MachineText = {
  start: "plan",
  errors: { ME: "^failed", TO: "^failed", EX: "^failed", BL: "^failed", abort: "^halted" },
  states: {
    plan: { dispatch: "planner", on: { PLAN: "all" } },
    all: {
      each: "parts",
      keep: true,
      first: { failed: "plan", asked: "plan" },
      join: ["done"],
      on: { done: "verify", none: "verify" },
    },
    verify: {
      check: "gate",
      on: { pass: "^complete", fail: { to: "all", reopen: "work", ctx: "broken", thread: "continue" } },
    },
  },
};
const items = (...ids: string[]) => ids.map((id) => ({ id, hash: id }));

function planned(...ids: string[]): Play {
  const run = play(build({ main, child }));
  run.answer("plan", "PLAN", { items: items(...ids) });
  return run;
}
const causes = (run: Play) =>
  run
    .latest()
    .at(-1)
    ?.causes.map(({ path, outcome, payload }) => [path, outcome, payload]);

test("a child that fails while the parent is elsewhere is handled before it is restarted", () => {
  const run = planned("a", "b");
  run.answer("all/a/work", "ME");
  run.answer("all/b/work", "TO", { payload: "sha256:why" });
  expect(run.latest()).toEqual([]);
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["plan"]);
  expect(causes(run)).toEqual([["all/b", "failed", "sha256:why"]]);
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["all/a~2/work", "all/b~2/work"]);
});

test("a child that asks while the parent is elsewhere is handled before it is answered", () => {
  const run = planned("a", "b");
  run.answer("all/a/work", "BL");
  run.answer("all/b/work", "BL", { payload: "sha256:question" });
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["all/b/question", "all/a/work", "plan"]);
  expect(causes(run)).toEqual([["all/b", "asked", "sha256:question"]]);
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["all/a/work", "all/b/work"]);
});

test("several children that failed or asked meanwhile are handled in one visit", () => {
  const run = planned("a", "b", "c", "d");
  run.answer("all/a/work", "ME");
  run.answer("all/b/work", "BL");
  run.answer("all/c/work", "EX");
  run.answer("plan", "PLAN");
  expect(causes(run)?.map(([path, outcome]) => [path, outcome])).toEqual([
    ["all/b", "asked"],
    ["all/c", "failed"],
  ]);
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["all/d/work", "all/b/work", "all/a~2/work", "all/c~2/work"]);
});

test("a child whose item was changed or dropped meanwhile is not handled: it is replaced, or its question answered", () => {
  const run = planned("a", "b", "c", "d");
  for (const [id, outcome] of [
    ["a", "ME"],
    ["b", "ME"],
    ["c", "ME"],
    ["d", "BL"],
  ] as const)
    run.answer(`all/${id}/work`, outcome);
  run.answer("plan", "PLAN", {
    items: [...items("a"), { id: "b", hash: "changed" }, { id: "d", hash: "changed" }],
  });
  expect(run.open()).toEqual(["all/d/work", "all/a~2/work", "all/b~2/work"]);
});

test("a child that is reopened in a state gets the route's ctx and thread", () => {
  const run = planned("a");
  run.answer("all/a/work", "DONE");
  run.answer("verify", "fail", { items: items("a") });
  expect(run.latest()).toEqual([
    expect.objectContaining({ key: "all/a/work#2", ctx: "broken", thread: { type: "continue" } }),
  ]);
});

test("the parent has not acknowledged a child when its question to a person is cancelled", () => {
  const region: MachineText = {
    ...main,
    counters: { plans: { limit: 1, over: "person" } },
    states: {
      ...main.states,
      plan: { dispatch: "planner", on: { PLAN: "both" } },
      both: {
        parallel: {
          tests: { dispatch: "tester", on: { BAD: "plan", DONE: "^ready" } },
          all: {
            start: "all",
            states: {
              all: {
                each: "parts",
                keep: true,
                first: { failed: { to: "plan", do: [{ count: "plans" }] }, asked: "plan" },
                join: ["done"],
                on: { done: "^ready", none: "^ready" },
              },
            },
          },
        },
        join: ["ready"],
        on: { ready: "^complete" },
      },
      person: { ask: "What now?", on: { again: "back" } },
    },
  };
  const { all: _all, verify: _verify, ...states } = region.states;
  const run = play(build({ main: { ...region, states }, child }));
  run.answer("plan", "PLAN", { items: items("a") });
  run.answer("a/work", "ME");
  expect(run.open()).toEqual(["both/tests/tests", "both/all/person"]);
  run.answer("tests", "BAD");
  run.answer("plan", "PLAN");
  run.answer("both/all/person", "again");
  expect(run.open()).toEqual(["plan"]);
  expect(causes(run)?.map(([path, outcome]) => [path, outcome])).toEqual([
    ["both/all/all/a", "failed"],
    ["both/all/person", "again"],
  ]);
  run.answer("plan", "PLAN");
  expect(run.open()).toEqual(["both/tests/tests", "both/all/all/a~2/work"]);
});
