import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { build, type MachineText } from "./fixtures/build.ts";
import { play, type Play } from "./fixtures/play.ts";
import { waitingAsks } from "./inspect.ts";

const child: MachineText = {
  start: "work",
  session: "TDD",
  counters: { tries: { limit: 3, over: "^failed" } },
  errors: { ME: "^failed", TO: "^failed", EX: "^failed.agent", BL: "question", abort: "^halted" },
  states: {
    work: { dispatch: "coder", on: { DONE: "^done", AGAIN: { to: "work", do: [{ count: "tries" }] } } },
    question: { ask: "What is meant?", to: "parent", on: { answer: "work" } },
  },
};

const parent = (each: object): MachineText => ({
  start: "plan",
  errors: { ME: "^failed", TO: "^failed", EX: "^failed", BL: "^failed", abort: "^halted" },
  states: {
    plan: { dispatch: "planner", on: { PLAN: "all", CHECK: "verify" } },
    verify: { check: "gate", on: { pass: "all", fail: { to: "all", reopen: "work" } } },
    all: {
      each: "parts",
      join: ["failed", "halted", "done"],
      on: { done: "verify", failed: "plan", halted: "plan", none: "verify" },
      ...each,
    },
    person: { ask: "Look at this", on: { again: "back", stop: "^halted" } },
  },
});

const items = (...ids: string[]) => ids.map((id) => ({ id, hash: `${id}1` }));
const started = (...machines: Parameters<typeof parent>): ReturnType<typeof build> =>
  build({ main: parent(...machines), child });

function planned(protocol: ReturnType<typeof build>, ids: readonly string[]): Play {
  const run = play(protocol);
  run.answer("plan", "PLAN", { items: items(...ids) });
  return run;
}

describe("an each", () => {
  for (const ids of [[], ["a"], ["a", "b", "c"]])
    for (const order of ["together", "one-by-one"] as const)
      verifies(
        "CORE-12",
        `of ${ids.length} children ${order} ends when all ended, whatever the mix, and hands on every result`,
        () => {
          for (const mix of mixes(ids.length)) {
            const run = planned(started({ order }), ids);
            for (const [index, end] of mix.entries()) {
              const working = order === "together" ? ids.slice(index) : [ids[index]];
              expect(run.open()).toEqual(working.map((id) => `all/${id}/work`));
              finishChild(run, `all/${ids[index]}`, end);
            }
            const outcomes = mix.map((end) => ends[end]);
            const worst = ["failed", "halted", "done"].find((outcome) =>
              outcomes.some((each) => each.startsWith(outcome)),
            );
            expect(run.open()).toEqual([worst === undefined || worst === "done" ? "verify" : "plan"]);
            if (ids.length > 0)
              expect(
                run
                  .latest()
                  .at(-1)
                  ?.causes.map((cause) => [cause.path, cause.outcome]),
              ).toEqual(ids.map((id, index) => [`all/${id}`, outcomes[index]]));
          }
        },
      );

  test("spawns a frame for each item with its own dialogue and new counters", () => {
    const run = planned(started({}), ["a", "b"]);
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "spawn",
        key: "all/a#1",
        frame: "main",
        child: "all/a",
        machine: "child",
        item: "a",
      }),
      expect.objectContaining({
        type: "dispatch",
        key: "all/a/work#1",
        frame: "all/a",
        session: "TDD_t2_a",
        counters: { tries: { value: 1, limit: 3 } },
      }),
      expect.objectContaining({ type: "spawn", key: "all/b#1", child: "all/b" }),
      expect.objectContaining({ type: "dispatch", key: "all/b/work#1", frame: "all/b", session: "TDD_t2_b" }),
    ]);
    run.answer("all/a/work", "AGAIN");
    expect(run.latest()).toEqual([
      expect.objectContaining({ frame: "all/a", counters: { tries: { value: 2, limit: 3 } } }),
    ]);
    run.answer("all/b/work", "AGAIN");
    expect(run.latest()).toEqual([
      expect.objectContaining({ frame: "all/b", counters: { tries: { value: 2, limit: 3 } } }),
    ]);
  });

  verifies("CORE-12", "handles a child that a person aborted, and stops waiting for it", () => {
    const run = planned(started({}), ["a", "b"]);
    run.answer("all/a/work", "DONE");
    expect(run.send({ type: "abort", frame: "all/b" })).toBe(null);
    expect(run.latest().map((command) => [command.type, command.key])).toEqual([
      ["cancel", "cancel/all/b/work#1"],
      ["dispatch", "plan#2"],
    ]);
  });

  verifies("CORE-12", "treats a halted child as aborted if the protocol has no other route for it", () => {
    const run = planned(started({ join: ["done"], on: { done: "verify" } }), ["a", "b"]);
    run.answer("all/a/work", "DONE");
    run.send({ type: "abort", frame: "all/b" });
    expect(run.latest().at(-1)).toMatchObject({ type: "finish", outcome: "halted" });
  });

  test("keeps waiting for a child that asks if neither first nor join names asked, and a person may answer the child", () => {
    const run = planned(started({}), ["a", "b"]);
    run.answer("all/a/work", "BL");
    run.answer("all/b/work", "DONE");
    expect(run.open()).toEqual(["all/a/question"]);
    run.answer("all/a/question", "answer");
    run.answer("all/a/work", "DONE");
    expect(run.open()).toEqual(["verify"]);
  });

  test("joins a child that asks like an ended one if join names asked", () => {
    const run = planned(
      started({ order: "one-by-one", join: ["asked", "done"], on: { asked: "person", done: "verify" } }),
      ["a", "b"],
    );
    run.answer("all/a/work", "BL");
    expect(run.open()).toEqual(["all/a/question", "all/b/work"]);
    run.answer("all/b/work", "DONE");
    expect(run.open()).toEqual(["person"]);
  });

  test("passes its labels to the frames of its children", () => {
    const run = planned(started({ mode: "Ω₅ᵀ", phase: "5 CYCLES" }), ["a"]);
    expect(run.latest().map(({ mode, phase }) => [mode, phase])).toEqual([
      ["Ω₅ᵀ", "5 CYCLES"],
      ["Ω₅ᵀ", "5 CYCLES"],
    ]);
  });

  test("takes the latest list, also after a check in between", () => {
    const run = play(started({}));
    run.answer("plan", "CHECK", { items: items("x", "y") });
    run.answer("verify", "pass");
    expect(run.open()).toEqual(["all/x/work", "all/y/work"]);
  });

  test("does not take a list with another name", () => {
    const main: MachineText = {
      start: "plan",
      errors: child.errors ?? {},
      states: {
        plan: { dispatch: "planner", on: { PLAN: "modules" } },
        modules: { each: "modules", join: ["done"], on: { done: "cycles", none: "cycles" } },
        cycles: { each: "cycles", join: ["done"], on: { done: "^complete", none: "^complete" } },
      },
    };
    const run = play(build({ main, child }));
    run.answer("plan", "PLAN", { items: items("c"), list: "cycles" });
    expect(run.open()).toEqual(["cycles/c/work"]);
  });

  test("ends the run with a clear reason if it needs an item and has none", () => {
    const main = parent({ min: 1 });
    const { none: _none, ...on } = main.states["all"]?.on ?? {};
    const run = play(
      build({ main: { ...main, states: { ...main.states, all: { ...main.states["all"], on } } }, child }),
    );
    run.answer("plan", "PLAN", { items: [] });
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "finish",
        outcome: "failed",
        reason: "state all has no route for none",
      }),
    ]);
  });

  test("encodes item ids of any text into distinct keys", () => {
    const run = planned(started({}), ["a/b", "a", "a~2", "#1", "\ud800", "__proto__"]);
    expect(run.open()).toEqual([
      "all/a%2Fb/work",
      "all/a/work",
      "all/a%7E2/work",
      "all/%231/work",
      "all/%EF%BF%BD/work",
      "all/__proto__/work",
    ]);
  });

  describe("with first", () => {
    test("leaves early and stops the others", () => {
      const run = planned(started({ first: { failed: "plan" } }), ["a", "b", "c"]);
      run.answer("all/b/work", "ME");
      expect(run.latest().map((command) => [command.type, command.key])).toEqual([
        ["cancel", "cancel/all/a/work#1"],
        ["cancel", "cancel/all/c/work#1"],
        ["dispatch", "plan#2"],
      ]);
    });

    test("distinguishes hints", () => {
      const run = planned(started({ first: { failed: "plan", "failed.agent": "person" } }), ["a"]);
      run.answer("all/a/work", "EX");
      expect(run.open()).toEqual(["person"]);
    });

    test("that leads to an ask lets the others continue, and the way back restarts the child", () => {
      const run = planned(started({ first: { failed: "person" } }), ["a", "b"]);
      run.answer("all/a/work", "ME");
      expect(run.open()).toEqual(["all/b/work", "person"]);
      run.answer("all/b/work", "DONE");
      run.answer("person", "again", { payload: "sha256:advice" });
      expect(run.open()).toEqual(["all/a~2/work"]);
      expect(
        run
          .latest()
          .at(-1)
          ?.causes.map((cause) => cause.path),
      ).toEqual(["plan", "all/a", "person"]);
      run.answer("work", "DONE");
      expect(run.open()).toEqual(["verify"]);
    });

    test("handles a child that asks, and answers it on the way back", () => {
      const run = planned(started({ first: { asked: "person" } }), ["a", "b"]);
      run.answer("all/a/work", "BL");
      expect(run.open()).toEqual(["all/b/work", "all/a/question", "person"]);
      run.answer("person", "again");
      expect(run.open()).toEqual(["all/b/work", "all/a/work"]);
      expect(waitingAsks(run.state())).toEqual([]);
    });
  });

  describe("re-entered with keep", () => {
    const keep = started({ keep: true, first: { failed: "plan", asked: "plan" } });

    test("keeps children that run or ended well, starts failed, changed and new ones, and stops dropped ones", () => {
      const run = planned(keep, ["ended", "works", "changed", "dropped", "fails"]);
      run.answer("all/ended/work", "DONE");
      run.answer("all/works/work", "AGAIN");
      run.answer("all/fails/work", "ME");
      expect(run.open()).toEqual(["all/changed/work", "all/dropped/work", "all/works/work", "plan"]);
      run.answer("plan", "PLAN", {
        items: [...items("ended", "works", "fails", "new"), { id: "changed", hash: "changed2" }],
      });
      expect(run.latest().map((command) => [command.type, command.key])).toEqual([
        ["cancel", "cancel/all/changed/work#1"],
        ["cancel", "cancel/all/dropped/work#1"],
        ["spawn", "all/fails#2"],
        ["dispatch", "all/fails~2/work#1"],
        ["spawn", "all/new#1"],
        ["dispatch", "all/new/work#1"],
        ["spawn", "all/changed#2"],
        ["dispatch", "all/changed~2/work#1"],
      ]);
      for (const path of ["all/works/work", "all/fails~2/work", "all/new/work", "all/changed~2/work"])
        run.answer(path, "DONE");
      expect(run.open()).toEqual(["verify"]);
    });

    test("answers a child that asks", () => {
      const run = planned(keep, ["a", "b"]);
      run.answer("all/a/work", "BL");
      expect(run.open()).toEqual(["all/b/work", "all/a/question", "plan"]);
      run.answer("plan", "PLAN", { items: items("a", "b"), payload: "sha256:clearer" });
      expect(run.latest()).toEqual([
        expect.objectContaining({ type: "cancel", target: "all/a/question#1" }),
        expect.objectContaining({ key: "all/a/work#2" }),
      ]);
      expect(
        run
          .latest()
          .at(-1)
          ?.causes.map((cause) => cause.payload),
      ).toContain("sha256:clearer");
    });

    test("joins at once when all ended well", () => {
      const run = planned(keep, ["a"]);
      run.answer("all/a/work", "DONE");
      run.answer("verify", "pass");
      expect(run.open()).toEqual(["verify"]);
    });

    test("records children that end while the parent is elsewhere", () => {
      const run = planned(keep, ["a", "b"]);
      run.answer("all/a/work", "ME");
      run.answer("all/b/work", "DONE");
      expect(run.latest()).toEqual([]);
      run.answer("plan", "PLAN");
      expect(run.open()).toEqual(["all/a~2/work"]);
    });

    test("reopens the children that a gate names, in the route's state, with their facts", () => {
      const run = planned(keep, ["a", "b"]);
      run.answer("all/a/work", "AGAIN");
      run.answer("all/a/work", "DONE");
      run.answer("all/b/work", "DONE");
      run.answer("verify", "fail", { items: items("a"), payload: "sha256:broken" });
      expect(run.latest()).toEqual([
        expect.objectContaining({
          frame: "all/a",
          key: "all/a/work#3",
          counters: { tries: { value: 2, limit: 3 } },
        }),
      ]);
      expect(run.latest()[0]?.causes.at(-1)?.payload).toBe("sha256:broken");
      run.answer("all/a/work", "DONE");
      expect(run.open()).toEqual(["verify"]);
      expect(run.latest()[0]?.causes.map((cause) => cause.path)).toEqual(["all/a", "all/b"]);
    });

    test("does not take first again for a kept child", () => {
      const run = planned(started({ keep: true, first: { done: "plan" } }), ["a", "b"]);
      run.answer("all/a/work", "DONE");
      run.answer("plan", "PLAN", { items: items("a", "b") });
      expect(run.open()).toEqual(["all/b/work"]);
      run.answer("all/b/work", "DONE");
      expect(run.open()).toEqual(["plan"]);
    });
  });

  test("ends all its children with the run", () => {
    const run = planned(started({ keep: true }), ["a", "b"]);
    run.send({ type: "abort" });
    expect(run.latest().map((command) => command.type)).toEqual(["cancel", "cancel", "finish"]);
    expect(run.open()).toEqual([]);
  });
});

const ends = { DONE: "done", ME: "failed", EX: "failed.agent", abort: "halted" } as const;
type End = keyof typeof ends;

function finishChild(run: Play, frame: string, end: End): void {
  if (end === "abort") run.send({ type: "abort", frame });
  else run.answer(`${frame}/work`, end);
}

function mixes(length: number): readonly (readonly End[])[] {
  if (length === 0) return [[]];
  return mixes(length - 1).flatMap((mix) =>
    (["DONE", "ME", "EX", "abort"] as const).map((end) => [...mix, end]),
  );
}
