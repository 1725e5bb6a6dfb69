import { describe, expect, test } from "vitest";
import { build, type MachineText } from "./fixtures/build.ts";
import { play } from "./fixtures/play.ts";

const errors = { ME: "trouble", TO: "trouble", EX: "trouble", BL: "trouble" };
const trouble = { ask: "Trouble", as: "escalated", on: { context: "back", stop: "^halted" } } as const;

describe("a route", () => {
  test("performs its actions in order: a note before the count has the old round", () => {
    const main: MachineText = {
      session: "PLAN",
      start: "plan",
      errors,
      states: {
        plan: {
          dispatch: "planner",
          note: "entered",
          on: {
            NR: { to: "plan", do: [{ note: "before" }, { count: "r" }, { note: "after" }] },
            NEW: { to: "plan", do: [{ open: "TDD" }] },
          },
        },
        trouble,
      },
    };
    const run = play(build({ main }));
    run.answer("plan", "NR");
    run.answer("plan", "NEW");
    expect(run.notes.map((note) => [note.session, note.round, note.text])).toEqual([
      ["PLAN_t1", 0, "entered"],
      ["PLAN_t1", 0, "before"],
      ["PLAN_t1", 1, "after"],
      ["PLAN_t1", 1, "entered"],
      ["TDD_t3", 0, "entered"],
    ]);
    expect(run.commands.map((command) => [command.session, command.round])).toEqual([
      ["PLAN_t1", 0],
      ["PLAN_t1", 1],
      ["TDD_t3", 0],
    ]);
  });

  test("sets facts, and so does a state on entry", () => {
    const main: MachineText = {
      start: "red",
      errors,
      states: {
        red: {
          dispatch: "tester",
          set: { phase: "red", done: false },
          on: { RC: { to: "green", do: [{ set: { done: true, n: 1 } }] } },
        },
        green: { dispatch: "coder", set: { phase: "green" }, on: { GC: "^complete" } },
        trouble,
      },
    };
    const run = play(build({ main }));
    run.answer("red", "RC");
    expect(run.state().frames["main"]?.facts).toEqual({ phase: "green", done: true, n: 1 });
  });

  test("is the most specific one: with hint before without, the state's before the machine's", () => {
    const main: MachineText = {
      start: "start",
      errors: { ...errors, "EX.empty": "machine_hint" },
      states: {
        start: {
          dispatch: "d",
          on: { A: "plain", "A.hint": "hint" },
          errors: { EX: "state_error", "TO.long": "long" },
        },
        ...Object.fromEntries(
          ["plain", "hint", "state_error", "machine_hint", "long"].map((name) => [
            name,
            { dispatch: name, on: { DONE: "start" } },
          ]),
        ),
        trouble,
      },
    };
    const landing = (outcome: string) => {
      const run = play(build({ main }));
      run.answer("start", outcome);
      return run.open()[0];
    };
    expect(
      ["A", "A.hint", "A.other", "EX", "EX.empty", "TO.long", "TO", "TO.short", "ME"].map(landing),
    ).toEqual([
      "plain",
      "hint",
      "plain",
      "state_error",
      "state_error",
      "long",
      "trouble",
      "trouble",
      "trouble",
    ]);
  });

  test("passes its payload to the next command as its cause, and only that one", () => {
    const main: MachineText = {
      start: "code",
      errors,
      states: {
        code: { dispatch: "coder", on: { DONE: "check" } },
        check: { check: "gate", on: { pass: "^complete", fail: "code" } },
        trouble,
      },
    };
    const run = play(build({ main }));
    run.answer("code", "DONE", { payload: "sha256:1" });
    expect(run.latest()[0]?.causes).toEqual([
      { key: "code#1", path: "code", outcome: "DONE", payload: "sha256:1" },
    ]);
    run.answer("check", "fail.quality", { payload: "sha256:2" });
    expect(run.latest()[0]?.causes).toEqual([
      { key: "check#1", path: "check", outcome: "fail.quality", payload: "sha256:2" },
    ]);
  });

  test("passes ctx and thread to the next dispatch only, also when a check comes first", () => {
    const main: MachineText = {
      start: "code",
      errors,
      states: {
        code: {
          dispatch: "coder",
          thread: "fresh",
          on: { DONE: { to: "check", ctx: "again", thread: "continue" }, MORE: "code" },
        },
        check: { check: "gate", on: { pass: "^complete", fail: "code" } },
        trouble,
      },
    };
    const run = play(build({ main }));
    const line = () =>
      run
        .latest()
        .map((command) => (command.type === "dispatch" ? [command.thread.type, command.ctx] : command.type));
    expect(line()).toEqual([["fresh", undefined]]);
    run.answer("code", "DONE");
    run.answer("check", "fail");
    expect(line()).toEqual([["continue", "again"]]);
    run.answer("code", "MORE");
    expect(line()).toEqual([["fresh", undefined]]);
  });

  test("to self keeps the dispatch's passage", () => {
    const main: MachineText = {
      start: "plan",
      errors: { ...errors, CF: { to: "self", thread: "fresh" } },
      states: {
        plan: { dispatch: "planner", on: { DONE: { to: "code", ctx: "revise", thread: "continue" } } },
        code: { dispatch: "coder", on: { DONE: "^complete" } },
        trouble,
      },
    };
    const run = play(build({ main }));
    run.answer("plan", "DONE", { payload: "sha256:plan" });
    run.answer("code", "CF");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "code#2",
        ctx: "revise",
        thread: { type: "fresh" },
        causes: [
          { key: "plan#1", path: "plan", outcome: "DONE", payload: "sha256:plan" },
          { key: "code#1", path: "code", outcome: "CF" },
        ],
      }),
    ]);
    run.answer("code", "CF");
    expect(run.latest()[0]?.causes.map((cause) => cause.key)).toEqual(["plan#1", "code#2"]);
  });

  test("that is not declared ends the run as failed, with the reason", () => {
    const main: MachineText = {
      start: "code",
      states: { code: { dispatch: "coder", reports: ["DONE"], on: {} } },
    };
    const run = play(build({ main }));
    run.answer("code", "DONE");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "finish",
        outcome: "failed",
        reason: "state code has no route for DONE",
      }),
    ]);
    expect(run.state().ended).toEqual({ outcome: "failed", reason: "state code has no route for DONE" });
  });

  test("in a cycle without work ends the run as failed", () => {
    const main: MachineText = {
      start: "a",
      states: {
        a: { each: "things", join: [], on: { none: "b" } },
        b: { parallel: {}, join: [], on: { none: "a" } },
      },
    };
    const run = play(build({ main }));
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "finish",
        outcome: "failed",
        reason: "the protocol loops through states without doing work",
      }),
    ]);
  });
});

describe("the way back from an ask", () => {
  const main: MachineText = {
    start: "plan",
    counters: {
      same: { limit: 2, same: true, over: "same_error" },
      tries: { limit: 3, over: "too_often" },
      rounds: { limit: 1, over: { to: "rounds_over", do: [{ note: "over" }] } },
    },
    errors: { ...errors, inconclusive: "paused" },
    states: {
      plan: { dispatch: "planner", on: { DONE: { to: "code", ctx: "first" } } },
      code: {
        dispatch: "coder",
        on: {
          DONE: "check",
          REVISE: {
            to: "plan",
            ctx: "revise",
            thread: "continue",
            do: [{ count: "rounds" }, { note: "revising" }],
          },
        },
      },
      check: {
        check: "gate",
        on: {
          pass: "^complete",
          fail: { to: "code", thread: "continue", do: [{ count: "same" }, { count: "tries" }] },
        },
      },
      trouble,
      paused: { ask: "Could not be executed", as: "inconclusive", on: { resume: "back" } },
      same_error: {
        ask: "Same error twice",
        as: "escalated",
        on: { context: "back", approach: { to: "back", thread: "fresh", ctx: "other" } },
      },
      too_often: { ask: "Too often", as: "escalated", on: { context: "back" } },
      rounds_over: { ask: "Too many rounds", on: { context: "back" } },
    },
  };
  const atCheck = () => {
    const run = play(build({ main }, { gate: ["pass", "fail", "inconclusive"] }));
    run.answer("plan", "DONE", { payload: "sha256:plan" });
    run.answer("code", "DONE", { payload: "sha256:code" });
    return run;
  };

  test("repeats a check that could not be executed, alone and with its passage", () => {
    const run = atCheck();
    run.answer("check", "inconclusive");
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "ask", state: "paused", as: "inconclusive" }),
    ]);
    run.answer("paused", "resume");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        type: "check",
        key: "check#2",
        causes: [
          expect.objectContaining({ key: "code#1", payload: "sha256:code" }),
          expect.objectContaining({ key: "check#1", outcome: "inconclusive" }),
          expect.objectContaining({ key: "paused#1" }),
        ],
      }),
    ]);
    run.answer("check", "inconclusive");
    run.answer("paused", "resume");
    expect(run.latest()[0]?.causes.map((cause) => cause.key)).toEqual(["code#1", "check#2", "paused#2"]);
  });

  test("repeats a dispatch with its ctx and the person's answer", () => {
    const run = play(build({ main }));
    run.answer("plan", "DONE", { payload: "sha256:plan" });
    run.answer("code", "TO");
    run.answer("trouble", "context", { payload: "sha256:words" });
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "code#2",
        ctx: "first",
        causes: [
          expect.objectContaining({ payload: "sha256:plan" }),
          { key: "code#1", path: "code", outcome: "TO" },
          expect.objectContaining({ payload: "sha256:words" }),
        ],
      }),
    ]);
  });

  test("continues the route that a counter cut short: its thread, its cause, its other actions", () => {
    const run = atCheck();
    run.answer("check", "fail", { signature: "x" });
    run.answer("code", "DONE");
    run.answer("check", "fail", { signature: "x", payload: "sha256:failure" });
    expect(run.latest()).toEqual([
      expect.objectContaining({ state: "same_error", trip: { counter: "same", value: 2, limit: 2 } }),
    ]);
    run.answer("same_error", "context", { payload: "sha256:words" });
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "code#3",
        thread: { type: "continue" },
        counters: expect.objectContaining({ tries: { value: 3, limit: 3 } }),
        causes: [
          { key: "check#2", path: "check", outcome: "fail", payload: "sha256:failure" },
          { key: "same_error#1", path: "same_error", outcome: "context", payload: "sha256:words" },
        ],
      }),
    ]);
    run.answer("code", "DONE");
    run.answer("check", "fail", { signature: "y" });
    expect(run.latest()).toEqual([
      expect.objectContaining({ state: "too_often", trip: { counter: "tries", value: 3, limit: 3 } }),
    ]);
  });

  test("resets the next counter of that route if it runs out too, since the person has answered", () => {
    const run = atCheck();
    for (const signature of ["x", "y"]) {
      run.answer("check", "fail", { signature });
      run.answer("code", "DONE");
    }
    run.answer("check", "fail", { signature: "y" });
    expect(run.open()).toEqual(["same_error"]);
    run.answer("same_error", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        key: "code#4",
        thread: { type: "continue" },
        counters: expect.objectContaining({ tries: { value: 1, limit: 3 } }),
      }),
    ]);
  });

  test("takes the answer's thread and ctx if it has them", () => {
    const run = atCheck();
    run.answer("check", "fail", { signature: "x" });
    run.answer("code", "DONE");
    run.answer("check", "fail", { signature: "x" });
    run.answer("same_error", "approach");
    expect(run.latest()).toEqual([expect.objectContaining({ thread: { type: "fresh" }, ctx: "other" })]);
  });

  test("takes ctx and thread of the route that was cut short, not of the counter's own route", () => {
    const run = play(build({ main }));
    run.answer("plan", "DONE");
    run.answer("code", "REVISE");
    expect(run.open()).toEqual(["rounds_over"]);
    run.answer("rounds_over", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({ key: "plan#2", ctx: "revise", thread: { type: "continue" } }),
    ]);
    expect(run.notes.map((note) => note.text)).toEqual(["over", "revising"]);
  });

  test("asks again if nothing comes next", () => {
    const start = build({ main: { start: "ask", states: { ask: { ask: "Ready?", on: { yes: "back" } } } } });
    const run = play(start);
    run.answer("ask", "yes");
    expect(run.latest()).toEqual([expect.objectContaining({ key: "ask#2" })]);
  });

  test("leads back through nested asks, and a loop does not lengthen it", () => {
    const asks: MachineText = {
      start: "work",
      errors: { ME: "one", TO: "one", EX: "one", BL: "one" },
      states: {
        work: { dispatch: "coder", on: { DONE: "^complete" } },
        one: { ask: "One", on: { other: "two", back: "back" } },
        two: { ask: "Two", on: { other: "one", back: "back" } },
      },
    };
    const run = play(build({ main: asks }));
    run.answer("work", "EX");
    run.answer("one", "other");
    const size = JSON.stringify(run.state()).length;
    for (let round = 0; round < 5; round++) {
      run.answer("two", "other");
      run.answer("one", "other");
    }
    expect(JSON.stringify(run.state()).length).toBeLessThan(size * 1.5);
    run.answer("two", "back");
    run.answer("one", "back");
    expect(run.open()).toEqual(["work"]);
  });
});
