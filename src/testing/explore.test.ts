import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import type { Protocol } from "../protocol/machine.ts";
import { explore, type Exploration } from "./explore.ts";
import { build, type MachineText } from "../kernel/fixtures/build.ts";
import { play } from "../kernel/fixtures/play.ts";
import { faultsOf, notTogether, provenComplete } from "./invariants.ts";
import { step } from "../kernel/step.ts";

const errors = {
  ME: "person",
  TO: "person",
  EX: "person",
  BL: "person",
  inconclusive: "person",
  abort: "^halted",
};
const person = { ask: "Now what?", as: "escalated", on: { again: "back" } } as const;
const sound: MachineText = {
  start: "work",
  counters: { tries: { limit: 3, over: "person" } },
  errors,
  states: {
    work: { dispatch: "coder", on: { DONE: "check" } },
    check: { check: "gate", on: { pass: "^complete", fail: { to: "work", do: [{ count: "tries" }] } } },
    person,
  },
};

function withRoles(protocol: Protocol, roles: Readonly<Record<string, string>>): Protocol {
  const at = { file: "test", line: 1, column: 1 };
  const entries = Object.entries(roles).map(([name, writes]) => [
    name,
    { writes, template: name, isolated: false, label: name, at },
  ]);
  return { ...protocol, roles: Object.fromEntries(entries) };
}

function walk(machine: MachineText, more: Partial<Parameters<typeof explore>[1]> = {}): Exploration {
  const protocol = withRoles(build({ main: machine }), {
    coder: "source",
    tester: "tests",
    reviewer: "none",
  });
  return explore(protocol, {
    maxStates: 1_000,
    check: (state) => faultsOf(protocol, state),
    monitors: [provenComplete(protocol)],
    ...more,
  });
}

describe("the explorer", () => {
  test("counts the states of a sound protocol, and the longest run without a person", () => {
    expect(walk(sound)).toEqual({ states: 14, steps: 37, cut: false, faults: [], longest: 6 });
  });

  test("reports that it was cut", () => {
    expect(walk(sound, { maxStates: 3 })).toMatchObject({ cut: true, states: expect.any(Number) });
  });

  test("skips excluded outcomes", () => {
    expect(walk(sound, { tries: (_command, outcome) => outcome !== "pass" })).toMatchObject({
      states: 13,
      steps: 34,
      faults: [],
    });
  });

  verifies("CORE-07", "reports an outcome without a route, with the shortest path to it", () => {
    const { fail: _fail, ...on } = { pass: "^complete", fail: "work" };
    const states = { ...sound.states, check: { check: "gate", on } };
    expect(walk({ ...sound, states }).faults).toContainEqual({
      what: "state check has no route for fail",
      way: ["start", "work DONE", "check fail"],
    });
  });

  verifies("CORE-07", "finds a loop without a counter", () => {
    const states = { ...sound.states, check: { check: "gate", on: { pass: "^complete", fail: "work" } } };
    expect(walk({ ...sound, states }).longest).toBe(Number.POSITIVE_INFINITY);
  });

  test("finds a path to complete that skips the check, by a person or by later work", () => {
    const byPerson = { ...sound.states, person: { ...person, on: { again: "back", fine: "^complete" } } };
    expect(walk({ ...sound, states: byPerson }).faults[0]).toEqual({
      what: "complete without a check that passed after the last work",
      way: ["start", "work ME", "person fine"],
    });
    const afterwards = {
      ...sound.states,
      check: { check: "gate", on: { pass: "polish", fail: { to: "work", do: [{ count: "tries" }] } } },
      polish: { dispatch: "coder", on: { DONE: "^complete" } },
    } as const;
    expect(walk({ ...sound, states: afterwards }).faults[0]?.way).toEqual([
      "start",
      "work DONE",
      "check pass",
      "polish DONE",
    ]);
    const reviewed = { ...afterwards, polish: { dispatch: "reviewer", on: { DONE: "^complete" } } } as const;
    expect(walk({ ...sound, states: reviewed }).faults).toEqual([]);
  });

  test("finds two roles that must not work at once", () => {
    const states = {
      both: {
        parallel: {
          a: { dispatch: "coder", on: { DONE: "^ok" } },
          b: { dispatch: "tester", on: { DONE: "^ok" } },
        },
        join: ["ok"],
        on: { ok: "check" },
      },
      check: { check: "gate", on: { pass: "^complete", fail: "person" } },
      person,
    } as const;
    const machine: MachineText = { start: "both", errors, states };
    const protocol = withRoles(build({ main: machine }), { coder: "source", tester: "tests" });
    const writers = (forbids: boolean) =>
      explore(protocol, { maxStates: 1_000, monitors: [notTogether(protocol, () => forbids)] }).faults;
    expect(writers(true)[0]).toEqual({ what: "both/a/a and both/b/b work at once", way: ["start"] });
    expect(writers(false)).toEqual([]);
  });
});

describe("the invariants", () => {
  const { state } = play(build({ main: sound }));
  const protocol = build({ main: sound });
  const [main] = Object.values(state().frames);
  const token = main?.token ?? raise();

  test("hold in a state made by a step", () => {
    expect(faultsOf(protocol, state())).toEqual([]);
  });

  test("report a state with nothing open, a command without a waiting token, an idle token, and a counter beyond its limit", () => {
    const spoil = (frame: object, more: object = {}) =>
      faultsOf(protocol, { ...state(), ...more, frames: { main: { ...(main ?? raise()), ...frame } } });
    expect(spoil({}, { open: [] })).toEqual([
      "stuck: no command, no wait and no end",
      "open are , waited for are work#1",
    ]);
    expect(spoil({ token: { ...token, activity: { type: "idle" } } })).toEqual([
      "main work: idle",
      "open are work#1, waited for are ",
    ]);
    expect(spoil({ token: { ...token, activity: { type: "parked" } } })[0]).toBe(
      "main work: parked for nothing",
    );
    expect(spoil({ counters: { tries: { value: 4 } } })).toEqual(["counter tries of main is 4 of 3"]);
    expect(spoil({}, { ended: { outcome: "failed", reason: "state a has no route for b" } })).toEqual([
      "ended with 1 open commands",
      "state a has no route for b",
    ]);
  });

  test("report a parallel whose regions have all ended, and an each without a running child", () => {
    const ended = { ...token, name: "a", activity: { type: "ended" as const, outcome: "ok", causes: [] } };
    const regions = { ...token, activity: { type: "regions" as const, regions: [ended] } };
    const children = { ...token, activity: { type: "children" as const, each: "x" } };
    const spoil = (spoiled: typeof token) =>
      faultsOf(protocol, { ...state(), frames: { main: { ...(main ?? raise()), token: spoiled } } });
    expect(spoil(regions)[0]).toBe("main work: a parallel that waits for nothing");
    expect(spoil(children)[0]).toBe("work waits for no child");
  });

  test("report nothing before the start", () => {
    expect(
      faultsOf(
        protocol,
        step(protocol, { ...state(), started: false, frames: {}, open: [] }, { type: "abort", stamp: "s" })
          .state,
      ),
    ).toEqual([]);
  });
});

function raise(): never {
  throw new Error("the run has no frame");
}
