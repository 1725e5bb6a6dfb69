import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { build, type MachineText } from "./fixtures/build.ts";
import { play } from "./fixtures/play.ts";
import { waitingAsks } from "./inspect.ts";

const region = (role: string) => ({
  dispatch: role,
  on: { GOOD: "^good", BAD: "^bad", EX: "unreadable", GIVE_UP: "elsewhere", QUIT: "^^failed" },
});

const reviews = (
  order: "together" | "one-by-one",
  names: readonly string[],
  more: object = {},
): MachineText => ({
  start: "reviews",
  errors: { ME: "elsewhere", TO: "elsewhere", BL: "elsewhere" },
  states: {
    reviews: {
      parallel: Object.fromEntries(names.map((name) => [name, region(name)])),
      order,
      join: ["bad", "good"],
      phase: "3 REVIEW",
      on: { good: "next", bad: "fix", none: "next" },
      ...more,
    },
    next: { dispatch: "coder", on: { DONE: "^complete" } },
    fix: { dispatch: "planner", on: { DONE: "reviews" } },
    elsewhere: { dispatch: "helper", on: { DONE: "reviews" } },
    unreadable: {
      ask: "The review cannot be read",
      on: { again: "back", skip: "^good", leave: "elsewhere" },
    },
  },
});

describe("a parallel", () => {
  for (const names of [[], ["a"], ["a", "b", "c"]])
    for (const order of ["together", "one-by-one"] as const)
      verifies(
        "CORE-12",
        `of ${names.length} regions ${order} ends when all ended, with the worst outcome of every mix`,
        () => {
          for (const mix of mixes(names.length, ["GOOD", "BAD"])) {
            const run = play(build({ main: reviews(order, names) }));
            for (const [index, outcome] of mix.entries()) {
              expect(run.open()).toEqual(
                (order === "together" ? names.slice(index) : [names[index] ?? ""]).map(
                  (name) => `reviews/${name}/${name}`,
                ),
              );
              run.answer(names[index] ?? "", outcome, { payload: `sha256:${index}` });
            }
            expect(run.open()).toEqual([mix.includes("BAD") ? "fix" : "next"]);
            expect(run.latest()[0]?.causes).toEqual(
              mix.map((outcome, index) => ({
                key: `reviews/${names[index]}/${names[index]}#1`,
                path: `reviews/${names[index]}/${names[index]}`,
                outcome,
                payload: `sha256:${index}`,
              })),
            );
          }
        },
      );

  test("gives the causes in the order of its regions, whichever ended first", () => {
    const run = play(build({ main: reviews("together", ["a", "b", "c"]) }));
    for (const name of ["c", "a", "b"]) run.answer(name, "GOOD");
    expect(run.latest()[0]?.causes.map((cause) => cause.path)).toEqual([
      "reviews/a/a",
      "reviews/b/b",
      "reviews/c/c",
    ]);
  });

  test("passes its label to its regions", () => {
    const run = play(build({ main: reviews("together", ["a", "b"]) }));
    expect(run.latest().map((command) => command.phase)).toEqual(["3 REVIEW", "3 REVIEW"]);
  });

  test("starts from scratch on re-entry", () => {
    const run = play(build({ main: reviews("together", ["a", "b"]) }));
    run.answer("a", "BAD");
    run.answer("b", "GOOD");
    run.answer("fix", "DONE");
    expect(run.latest().map((command) => command.key)).toEqual(["reviews/a/a#2", "reviews/b/b#2"]);
  });

  verifies("CORE-12", "takes an outcome early only by a declared first", () => {
    const run = play(build({ main: reviews("together", ["a", "b", "c"], { first: { bad: "fix" } }) }));
    run.answer("a", "GOOD");
    expect(run.open()).toEqual(["reviews/b/b", "reviews/c/c"]);
    run.answer("b", "BAD");
    expect(run.latest().map((command) => [command.type, command.key])).toEqual([
      ["cancel", "cancel/reviews/c/c#1"],
      ["dispatch", "fix#1"],
    ]);
    expect(run.open()).toEqual(["fix"]);
  });

  test("stops the other regions when one goes to a state of the machine", () => {
    const run = play(build({ main: reviews("together", ["a", "b", "c"]) }));
    run.answer("b", "GIVE_UP");
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "cancel", target: "reviews/a/a#1" }),
      expect.objectContaining({ type: "cancel", target: "reviews/c/c#1" }),
      expect.objectContaining({ type: "dispatch", key: "elsewhere#1" }),
    ]);
    expect(run.send({ type: "result", key: "reviews/a/a#1", outcome: "GOOD" })).toBe(
      "reviews/a/a#1 was cancelled",
    );
  });

  test("does not start the regions after one that leaves immediately", () => {
    const main: MachineText = {
      start: "both",
      errors: { ME: "^failed", TO: "^failed", EX: "^failed", BL: "^failed" },
      states: {
        both: {
          parallel: { gone: { each: "nothing", join: [], on: { none: "next" } }, other: region("other") },
          join: ["good"],
          on: { good: "next" },
        },
        next: { dispatch: "coder", on: { DONE: "^complete" } },
      },
    };
    const run = play(build({ main }));
    expect(run.commands.map((command) => command.key)).toEqual(["next#1"]);
  });

  test("ends with its frame by ^^, from inside a region", () => {
    const run = play(build({ main: reviews("together", ["a", "b"]) }));
    run.answer("a", "QUIT");
    expect(run.latest()).toEqual([
      expect.objectContaining({ type: "cancel", target: "reviews/b/b#1" }),
      expect.objectContaining({ type: "finish", outcome: "failed" }),
    ]);
  });

  describe("with an ask in a region", () => {
    test("stops no other region, and is asked at the token's location", () => {
      const run = play(build({ main: reviews("together", ["a", "b"]) }));
      run.answer("a", "EX", { payload: "sha256:unreadable" });
      expect(run.open()).toEqual(["reviews/b/b", "reviews/a/unreadable"]);
      run.answer("b", "GOOD");
      expect(waitingAsks(run.state()).map((ask) => [ask.path, ask.phase])).toEqual([
        ["reviews/a/unreadable", "3 REVIEW"],
      ]);
      run.answer("unreadable", "again");
      expect(run.latest()).toEqual([
        expect.objectContaining({
          key: "reviews/a/a#2",
          causes: [
            { key: "reviews/a/a#1", path: "reviews/a/a", outcome: "EX", payload: "sha256:unreadable" },
            { key: "reviews/a/unreadable#1", path: "reviews/a/unreadable", outcome: "again" },
          ],
        }),
      ]);
      run.answer("a", "GOOD");
      expect(run.open()).toEqual(["next"]);
    });

    test("may end the region", () => {
      const run = play(build({ main: reviews("together", ["a", "b"]) }));
      run.answer("a", "EX");
      run.answer("unreadable", "skip");
      run.answer("b", "BAD");
      expect(run.open()).toEqual(["fix"]);
    });

    test("may leave the parallel", () => {
      const run = play(build({ main: reviews("together", ["a", "b"]) }));
      run.answer("a", "EX");
      run.answer("unreadable", "leave");
      expect(run.open()).toEqual(["elsewhere"]);
    });
  });

  describe("whose first leads to an ask", () => {
    const protocol = build({ main: reviews("together", ["a", "b"], { first: { bad: "unreadable" } }) });

    test("continues behind it, and is joined after the region was repeated", () => {
      const run = play(protocol);
      run.answer("a", "BAD");
      expect(run.open()).toEqual(["reviews/b/b", "unreadable"]);
      run.answer("b", "GOOD");
      expect(run.open()).toEqual(["unreadable"]);
      run.answer("unreadable", "again");
      expect(run.open()).toEqual(["reviews/a/a"]);
      run.answer("a", "GOOD");
      expect(run.open()).toEqual(["next"]);
    });

    test("asks again for a region that failed meanwhile", () => {
      const run = play(protocol);
      run.answer("a", "BAD");
      run.answer("b", "BAD");
      run.answer("unreadable", "again");
      expect(run.open()).toEqual(["reviews/a/a", "unreadable"]);
    });

    test("stops when the ask leads elsewhere", () => {
      const run = play(protocol);
      run.answer("a", "BAD");
      run.answer("unreadable", "leave");
      expect(run.open()).toEqual(["elsewhere"]);
      expect(run.latest()).toContainEqual(
        expect.objectContaining({ type: "cancel", target: "reviews/b/b#1" }),
      );
    });
  });

  test("may have regions of several states, and regions in regions", () => {
    const main: MachineText = {
      start: "work",
      errors: { ME: "^failed", TO: "^failed", EX: "^failed", BL: "^failed" },
      states: {
        work: {
          parallel: {
            tests: {
              start: "write",
              states: {
                write: { dispatch: "tester", on: { DONE: "verify" } },
                verify: { check: "gate", on: { pass: "^ok", fail: "write" } },
              },
            },
            docs: {
              parallel: {
                left: { dispatch: "l", on: { DONE: "^ok", STOP: "outside" } },
                right: { dispatch: "r", on: { DONE: "^ok" } },
              },
              join: ["ok"],
              on: { ok: "^ok" },
            },
          },
          join: ["ok"],
          on: { ok: "^complete" },
        },
        outside: { dispatch: "o", on: { DONE: "^complete" } },
      },
    };
    const run = play(build({ main }));
    expect(run.open()).toEqual([
      "work/tests/write",
      "work/docs/docs/left/left",
      "work/docs/docs/right/right",
    ]);
    run.answer("write", "DONE");
    run.answer("verify", "fail");
    run.answer("write", "DONE");
    run.answer("verify", "pass");
    run.answer("left", "DONE");
    run.answer("right", "DONE");
    expect(run.latest()).toEqual([expect.objectContaining({ type: "finish", outcome: "complete" })]);

    const other = play(build({ main }));
    other.answer("left", "STOP");
    expect(other.open()).toEqual(["outside"]);
  });
});

function mixes(length: number, outcomes: readonly string[]): readonly (readonly string[])[] {
  if (length === 0) return [[]];
  return mixes(length - 1, outcomes).flatMap((mix) => outcomes.map((outcome) => [...mix, outcome]));
}
