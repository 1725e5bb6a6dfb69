import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { build, type MachineText } from "./fixtures/build.ts";
import { play } from "./fixtures/play.ts";
import { countersOf } from "./inspect.ts";
import { withLimits } from "./limits.ts";

const loop: MachineText = {
  start: "work",
  counters: { tries: { limit: 5, over: "gave_up" } },
  states: {
    work: { dispatch: "coder", on: { DONE: "check" } },
    check: { check: "gate", on: { pass: "^complete", fail: { to: "work", do: [{ count: "tries" }] } } },
    gave_up: { ask: "It does not work", as: "escalated", on: { context: "back", stop: "^halted" } },
  },
};

describe("a counter", () => {
  for (const limit of [1, 3, 5])
    verifies(
      "CORE-10",
      `with limit ${limit} permits exactly ${limit} tries, shown as 1/${limit} to ${limit}/${limit}`,
      () => {
        const run = play(withLimits(build({ main: loop }), { tries: limit }));
        const shown: string[] = [];
        while (run.open()[0] === "work") {
          const count = run.latest()[0]?.counters["tries"];
          shown.push(`${count?.value}/${count?.limit}`);
          run.answer("work", "DONE");
          run.answer("check", "fail");
        }
        expect(shown).toEqual(Array.from({ length: limit }, (_, index) => `${index + 1}/${limit}`));
        expect(run.commands.filter((command) => command.type === "dispatch")).toHaveLength(limit);
        expect(run.latest()).toEqual([
          expect.objectContaining({
            type: "ask",
            state: "gave_up",
            trip: { counter: "tries", value: limit, limit },
          }),
        ]);
      },
    );

  verifies("CORE-10", "with from 0 counts extra attempts: limit 2 takes its route at the third", () => {
    const machine: MachineText = {
      start: "code",
      counters: { disputes: { limit: 2, from: 0, over: "person" } },
      states: {
        code: { dispatch: "coder", on: { TI: { to: "test", do: [{ count: "disputes" }] } } },
        test: { dispatch: "tester", on: { TA: "code" } },
        person: { ask: "Who is right?", on: { coder: "test" } },
      },
    };
    const run = play(build({ main: machine }));
    const seen: (number | undefined)[] = [];
    while (run.open()[0] === "code") {
      run.answer("code", "TI");
      seen.push(run.latest()[0]?.counters["disputes"]?.value);
      if (run.open()[0] === "test") run.answer("test", "TA");
    }
    expect(seen).toEqual([1, 2, 0]);
    expect(run.latest()).toEqual([
      expect.objectContaining({ state: "person", trip: { counter: "disputes", value: 2, limit: 2 } }),
    ]);
  });

  test("is reset after it trips", () => {
    const run = play(withLimits(build({ main: loop }), { tries: 2 }));
    const fail = () => {
      run.answer("work", "DONE");
      run.answer("check", "fail");
    };
    fail();
    fail();
    run.answer("gave_up", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({ state: "work", counters: { tries: { value: 1, limit: 2 } } }),
    ]);
    fail();
    expect(run.open()).toEqual(["work"]);
    fail();
    expect(run.open()).toEqual(["gave_up"]);
  });

  test("that trips at the same failure as another asks no second time: the person has answered for both", () => {
    const both: MachineText = {
      start: "work",
      counters: {
        same_error: { limit: 2, same: true, over: "repeated" },
        tries: { limit: 2, over: "gave_up" },
      },
      states: {
        ...loop.states,
        check: {
          check: "gate",
          on: { pass: "^complete", fail: { to: "work", do: [{ count: "same_error" }, { count: "tries" }] } },
        },
        repeated: { ask: "Same error twice", as: "escalated", on: { context: "back" } },
      },
    };
    const run = play(build({ main: both }));
    const fail = (signature: string) => {
      run.answer("work", "DONE");
      run.answer("check", "fail", { signature });
    };
    fail("a");
    fail("a");
    expect(run.open()).toEqual(["repeated"]);
    run.answer("repeated", "context");
    expect(run.latest()).toEqual([
      expect.objectContaining({
        state: "work",
        counters: { same_error: { value: 0, limit: 2 }, tries: { value: 1, limit: 2 } },
      }),
    ]);
    fail("a");
    expect(run.open()).toEqual(["work"]);
    fail("b");
    expect(run.open()).toEqual(["gave_up"]);
  });

  test("is reset by a route, and belongs to its frame", () => {
    const machine: MachineText = {
      ...loop,
      states: {
        ...loop.states,
        work: { dispatch: "coder", on: { DONE: "check", AGAIN: { to: "work", do: [{ reset: "tries" }] } } },
      },
    };
    const run = play(build({ main: machine }));
    run.answer("work", "DONE");
    run.answer("check", "fail");
    expect(countersOf(build({ main: machine }), run.state())).toEqual({ tries: { value: 2, limit: 5 } });
    run.answer("work", "AGAIN");
    expect(countersOf(build({ main: machine }), run.state())).toEqual({ tries: { value: 1, limit: 5 } });
  });

  describe("with scope visit", () => {
    const machine: MachineText = {
      start: "work",
      counters: { silent: { limit: 2, scope: "visit", over: "person" } },
      errors: { TO: { to: "self", do: [{ count: "silent" }] } },
      states: {
        work: { dispatch: "coder", on: { DONE: "check" } },
        check: { check: "gate", on: { pass: "^complete", fail: "work" } },
        person: { ask: "Nobody answers", on: { again: "back" } },
      },
    };

    test("is cleared when the token goes to another state", () => {
      const run = play(build({ main: machine }));
      run.answer("work", "TO");
      expect(run.latest()).toEqual([
        expect.objectContaining({ key: "work#2", counters: { silent: { value: 2, limit: 2 } } }),
      ]);
      run.answer("work", "DONE");
      run.answer("check", "fail");
      expect(run.latest()).toEqual([
        expect.objectContaining({ key: "work#3", counters: { silent: { value: 1, limit: 2 } } }),
      ]);
    });

    test("trips within one visit", () => {
      const run = play(build({ main: machine }));
      run.answer("work", "TO");
      run.answer("work", "TO");
      expect(run.open()).toEqual(["person"]);
      run.answer("person", "again");
      expect(run.latest()).toEqual([
        expect.objectContaining({ key: "work#3", counters: { silent: { value: 1, limit: 2 } } }),
      ]);
    });
  });

  describe("with same", () => {
    const machine: MachineText = {
      start: "work",
      counters: { same_error: { limit: 2, same: true, over: "person" } },
      states: {
        work: { dispatch: "coder", on: { DONE: "check" } },
        check: {
          check: "gate",
          on: { pass: "^complete", fail: { to: "work", do: [{ count: "same_error" }] } },
        },
        person: { ask: "Same error twice", on: { again: "back" } },
      },
    };
    const attempt = (run: ReturnType<typeof play>, signature: string | undefined) => {
      run.answer("work", "DONE");
      run.answer("check", "fail", signature === undefined ? {} : { signature });
    };

    test("trips at equal failures in a row", () => {
      const run = play(build({ main: machine }));
      attempt(run, "a");
      expect(run.latest()).toEqual([
        expect.objectContaining({ counters: { same_error: { value: 1, limit: 2 } } }),
      ]);
      attempt(run, "a");
      expect(run.latest()).toEqual([
        expect.objectContaining({ state: "person", trip: { counter: "same_error", value: 2, limit: 2 } }),
      ]);
    });

    test("does not trip at different failures or failures without a signature", () => {
      const run = play(build({ main: machine }));
      for (const signature of ["a", "b", "a", undefined, undefined, "b"]) attempt(run, signature);
      expect(run.open()).toEqual(["work"]);
    });

    test("shows 0 before the first failure", () => {
      expect(play(build({ main: machine })).latest()).toEqual([
        expect.objectContaining({ counters: { same_error: { value: 0, limit: 2 } } }),
      ]);
    });
  });
});

describe("a user's limits", () => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    test(`are refused when they are ${limit}`, () => {
      expect(() => withLimits(build({ main: loop }), { tries: limit })).toThrow(
        expect.objectContaining({ code: "config_invalid", exitCode: 2 }),
      );
    });

  test("are refused for the round counter, which has no limit", () => {
    expect(() => withLimits(build({ main: loop }), { r: 3 })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });

  test("leave the protocol object and its other counters unchanged", () => {
    const protocol = build({
      main: { ...loop, counters: { ...loop.counters, other: { limit: 4, over: "gave_up" } } },
    });
    const before = JSON.stringify(protocol);
    const limited = withLimits(protocol, { tries: 2, unknown: 7 });
    expect(limited.machines["main"]?.counters["tries"]?.limit).toBe(2);
    expect(limited.machines["main"]?.counters["other"]?.limit).toBe(4);
    expect(JSON.stringify(protocol)).toBe(before);
  });

  test("under a protocol's name apply to all its loops, also in protocols that extend it", () => {
    const counters = {
      tries: { limit: 5, over: "gave_up" },
      more: { limit: 5, over: "gave_up" },
      beside: { limit: 2, from: 0, over: "gave_up" },
      once: { limit: 2, scope: "visit", over: "gave_up" },
      equal: { limit: 3, same: true, over: "gave_up" },
    } as const;
    const protocol = build({ main: { ...loop, counters } });
    const limited = (limits: Record<string, number>, given = protocol) =>
      Object.values(withLimits(given, limits).machines["main"]?.counters ?? {}).map(({ limit }) => limit);
    expect(limited({ test: 7 })).toEqual([7, 7, 2, 2, 3]);
    expect(limited({ test: 7, more: 1, once: 4 })).toEqual([7, 1, 2, 4, 3]);
    expect(limited({ test: 7 }, { ...protocol, name: "mine", bases: ["test"] })).toEqual([7, 7, 2, 2, 3]);
    expect(limited({ other: 7 })).toEqual([5, 5, 2, 2, 3]);
  });
});
