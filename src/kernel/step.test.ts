import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import type { KernelEvent } from "./event.ts";
import { build, type MachineText } from "./fixtures/build.ts";
import { play } from "./fixtures/play.ts";
import { isEnded, openCommands, positions } from "./inspect.ts";
import { fold, init, step } from "./step.ts";

const main: MachineText = {
  start: "work",
  counters: { tries: { limit: 3, over: "person" } },
  errors: {
    ME: "person",
    TO: "person",
    EX: "person",
    BL: "person",
    inconclusive: "person",
    abort: "^halted",
  },
  states: {
    work: { dispatch: "coder", phase: "1 WORK", on: { DONE: "both" } },
    both: {
      parallel: {
        gate: { check: "gate", on: { pass: "^ok", fail: "work", "fail.quality": "work" } },
        review: {
          dispatch: "reviewer",
          mode: "harsh",
          on: { OK: "^ok", BAD: { to: "work", do: [{ count: "tries" }] } },
        },
      },
      phase: "2 JUDGE",
      join: ["ok"],
      on: { ok: "^complete" },
    },
    person: { ask: "Now what?", on: { again: "back" } },
  },
};
const protocol = build({ main });
const result = (key: string, outcome: string): KernelEvent => ({ type: "result", key, outcome, stamp: "s" });

describe("step", () => {
  test("begins with the start event, and ends with one finish", () => {
    expect(init(protocol)).toEqual({
      version: 1,
      started: false,
      frames: {},
      open: [],
      cancelled: [],
      issued: {},
      ended: null,
    });
    const run = play(protocol);
    expect(run.latest()).toEqual([
      {
        type: "dispatch",
        key: "work#1",
        frame: "main",
        path: "work",
        state: "work",
        phase: "1 WORK",
        counters: { tries: { value: 1, limit: 3 } },
        round: 0,
        causes: [],
        role: "coder",
        reports: ["DONE"],
        sees: [],
        params: [],
        thread: { type: "fresh" },
      },
    ]);
    run.answer("work", "DONE");
    run.answer("gate", "pass");
    run.answer("review", "OK");
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "finish", key: "finish#1", frame: "main", outcome: "complete" }),
    ]);
    expect(isEnded(run.state())).toBe(true);
    expect(openCommands(run.state())).toEqual([]);
  });

  verifies("CORE-11", "ignores a late, duplicate, cancelled or unknown result, and gives the reason", () => {
    const run = play(protocol);
    run.answer("work", "DONE");
    run.answer("review", "BAD");
    const before = JSON.stringify(run.state());
    const reasons = [
      ["work#1", "DONE", "work#1 waits for no result: it was answered, or needs none"],
      ["both/gate/gate#1", "pass", "both/gate/gate#1 was cancelled"],
      [
        "cancel/both/gate/gate#1",
        "pass",
        "cancel/both/gate/gate#1 waits for no result: it was answered, or needs none",
      ],
      ["work#3", "DONE", "there is no command work#3"],
      ["work#01", "DONE", "there is no command work#01"],
      ["work", "DONE", "there is no command work"],
      ["", "", "there is no command "],
      ["constructor#1", "DONE", "there is no command constructor#1"],
      ["__proto__#1", "DONE", "there is no command __proto__#1"],
      ["work#2", "OK", "OK is no answer to work#2"],
      ["work#2", "constructor", "constructor is no answer to work#2"],
      ["work#2", "abort", "abort is no answer to work#2"],
    ] as const;
    for (const [key, outcome, why] of reasons) {
      const answer = step(protocol, run.state(), result(key, outcome));
      expect(answer).toEqual({ state: run.state(), commands: [], notes: [], opened: [], ignored: why });
    }
    expect(JSON.stringify(run.state())).toBe(before);
  });

  verifies("CORE-11", "ends a run the same when every result comes twice, and once more at its end", () => {
    const once = play(protocol);
    once.answer("work", "DONE");
    once.answer("review", "BAD");
    once.answer("work", "DONE");
    once.answer("gate", "pass");
    once.answer("review", "OK");
    const results = once.events.filter((event) => event.type === "result");
    const twice = once.events.flatMap((event): KernelEvent[] =>
      event.type === "result" ? [event, event] : [event],
    );
    expect(JSON.stringify(fold(protocol, [...twice, ...results]))).toBe(JSON.stringify(once.state()));
  });

  test("ignores events before the start, a second start, and events after the end", () => {
    const events: readonly KernelEvent[] = [
      { type: "abort", stamp: "s" },
      { type: "signal", event: "x", stamp: "s" },
      result("work#1", "DONE"),
    ];
    for (const event of events)
      expect(step(protocol, init(protocol), event).ignored).toBe("the run has not started");
    const run = play(protocol);
    expect(run.send({ type: "start" })).toBe("the run has started already");
    expect(run.send({ type: "abort", frame: "nobody" })).toBe("there is no frame nobody");
    expect(run.send({ type: "abort" })).toBe(null);
    expect(run.latest().map((command) => command.type)).toEqual(["cancel", "finish"]);
    expect(run.state().ended).toEqual({ outcome: "halted", reason: "" });
    expect(run.send({ type: "abort" })).toBe("the run has ended");
    expect(run.send({ type: "signal", event: "x" })).toBe("the run has ended");
    expect(run.send({ type: "result", key: "work#1", outcome: "DONE" })).toBe("work#1 was cancelled");
  });

  test("never mutates its input state", () => {
    const run = play(protocol);
    run.answer("work", "DONE");
    const before = JSON.stringify(run.state());
    for (const { key } of openCommands(run.state()))
      for (const outcome of ["pass", "fail", "OK", "BAD", "EX", "inconclusive"])
        step(protocol, run.state(), result(key, outcome));
    step(protocol, run.state(), { type: "abort", stamp: "s" });
    expect(JSON.stringify(run.state())).toBe(before);
  });

  test("continues from a serialized state", () => {
    const run = play(protocol);
    run.answer("work", "DONE");
    const read = JSON.parse(JSON.stringify(run.state()));
    const event = result("both/review/review#1", "BAD");
    expect(JSON.stringify(step(protocol, read, event))).toBe(
      JSON.stringify(step(protocol, run.state(), event)),
    );
  });

  test("shows the position of every token", () => {
    const run = play(protocol);
    run.answer("work", "DONE");
    run.answer("review", "EX");
    expect(positions(run.state())).toEqual([
      { frame: "main", path: "both", state: "both", kind: "parallel", phase: "2 JUDGE", mode: null },
      { frame: "main", path: "both/gate/gate", state: "gate", kind: "check", phase: "2 JUDGE", mode: null },
      {
        frame: "main",
        path: "both/review/person",
        state: "person",
        kind: "ask",
        phase: "2 JUDGE",
        mode: "harsh",
      },
    ]);
  });

  verifies("CORE-09", "takes no counter, round or phase from a result: other fields change nothing", () => {
    const honest = play(protocol);
    const liar = play(protocol);
    const lies = {
      attempt: 1,
      exit_code: 0,
      tests: 99,
      round: 7,
      phase: "9",
      counters: { tries: { value: 1, limit: 99 } },
    };
    const answers = [
      ["work", "DONE"],
      ["review", "BAD"],
      ["work", "DONE"],
      ["review", "BAD"],
      ["work", "DONE"],
      ["review", "BAD"],
    ] as const;
    for (const [path, outcome] of answers) {
      honest.answer(path, outcome, { payload: "sha256:1" });
      liar.answer(path, outcome, { payload: "sha256:1", ...lies });
    }
    expect(JSON.stringify(liar.state())).toBe(JSON.stringify(honest.state()));
    expect(liar.latest()).toEqual([
      expect.objectContaining({
        type: "ask",
        state: "person",
        trip: { counter: "tries", value: 3, limit: 3 },
      }),
    ]);
  });
});
