import { describe, expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { openCommands } from "../../kernel/inspect.ts";
import { init, step } from "../../kernel/step.ts";
import type { RunState } from "../../kernel/state.ts";
import { load, problemsOf, protocolText } from "../fixtures/sources.ts";
import type { Protocol } from "../machine.ts";
import { allSpots } from "../levels.ts";
import type { WalkStep } from "../walk/scope.ts";

/** Runs the steps that are answers of somebody; parallels, eaches and ends answer for themselves. */
function replay(protocol: Protocol, path: readonly WalkStep[]): RunState {
  let state = step(protocol, init(protocol), { type: "start", stamp: "t0" }).state;
  for (const [index, walked] of path.entries()) {
    const stamp = `t${index + 1}`;
    if (walked.outcome === "abort") {
      state = step(protocol, state, { type: "abort", stamp }).state;
      continue;
    }
    if (kindOf(protocol, walked) === "parallel" || kindOf(protocol, walked) === "each") continue;
    const command = openCommands(state).find(
      ({ path: open }) => open === walked.path || open.endsWith(`/${walked.path}`),
    );
    if (command === undefined)
      throw new Error(
        `nothing waits at ${walked.path}: ${openCommands(state)
          .map(({ path: open }) => open)
          .join(", ")}`,
      );
    const next = step(protocol, state, {
      type: "result",
      key: command.key,
      outcome: walked.outcome,
      items: isEmptyEach(protocol, path.slice(index)) ? [] : [{ id: "one", hash: "h" }],
      signature: "the same failure",
      stamp,
    });
    expect(next.ignored).toBeUndefined();
    state = next.state;
  }
  return state;
}

function kindOf(protocol: Protocol, { machine, state }: WalkStep): string | undefined {
  const found = protocol.machines[machine];
  return found === undefined
    ? undefined
    : allSpots(found).find((spot) => spot.state.name === state)?.state.kind;
}

function isEmptyEach(protocol: Protocol, path: readonly WalkStep[]): boolean {
  return path.find((walked) => kindOf(protocol, walked) === "each")?.outcome === "none";
}

/** The way that the checker tells, after the kernel went it to the end. */
function way(main: string): readonly string[] {
  const protocol = load("p", { p: protocolText(main) });
  const problems = problemsOf(protocol);
  expect(problems.map(({ code }) => code)).toEqual(["unproven_complete"]);
  const path = problems[0]?.path ?? [];
  expect(replay(protocol, path).ended).toEqual({ outcome: "complete", reason: "" });
  return path.map(
    ({ machine, path: place, outcome, trip }) => `${machine}:${place} ${outcome}${trip ? ` (${trip})` : ""}`,
  );
}

function codes(main: string): readonly string[] {
  return problemsOf(load("p", { p: protocolText(main) })).map(({ code }) => code);
}

const top = `
    start: work
    counters: {tries: {limit: 3, over: trouble}}
    states:`;
const work = "work: {dispatch: coder, reports: [DONE], on: {DONE: prove}}";
const retry = "{to: work, do: [{count: tries}]}";

describe("a hidden way to complete is found, and the kernel goes it", () => {
  verifies("CORE-04", "through a check that could not be executed", () => {
    expect(
      way(`${top}
      ${work}
      prove: {check: tests, on: {pass: ^complete, fail: ${retry}, inconclusive: skip}}
      skip: {ask: The tests could not be run, on: {again: prove, ignore: ^complete}}`),
    ).toEqual(["main:work DONE", "main:prove inconclusive", "main:skip ignore"]);
  });

  verifies("CORE-04", "through a person's approval", () => {
    expect(
      way(`${top}
      ${work}
      prove: {check: tests, on: {pass: approve, fail: ${retry}}}
      approve: {ask: Good?, on: {approve: ^complete, revise: polish}}
      polish: {dispatch: coder, reports: [DONE], on: {DONE: approve}}`),
    ).toEqual([
      "main:work DONE",
      "main:prove pass",
      "main:approve revise",
      "main:polish DONE",
      "main:approve approve",
    ]);
  });

  verifies("CORE-04", "through an empty parallel", () => {
    expect(
      way(`${top}
      work: {dispatch: coder, reports: [DONE], on: {DONE: gates}}
      gates: {parallel: {}, on: {none: ^complete}}`),
    ).toEqual(["main:work DONE", "main:gates none"]);
  });

  verifies("CORE-04", "through an each without items", () => {
    expect(
      way(`${top}
      work: {dispatch: coder, reports: [DONE], on: {DONE: pieces}}
      pieces: {each: items, machine: piece, join: [proved], first: {failed: trouble}, on: {proved: ^complete, none: ^complete}}
  piece:
    like: base
    start: prove
    errors: {abort: ^failed}
    states: {prove: {check: tests, on: {pass: ^proved, fail: ^failed}}}`),
    ).toEqual(["main:work DONE", "main:pieces none"]);
  });

  test("through a region that comes to its end without a check", () => {
    expect(
      way(`${top}
      work: {dispatch: coder, reports: [DONE], on: {DONE: both}}
      both:
        parallel:
          look: {dispatch: reader, reports: [OK, ODD], on: {OK: ^ok, ODD: prove}}
          sure: {ask: Sure?, on: {"yes": ^ok}}
        join: [ok]
        on: {ok: ^complete}
      prove: {check: tests, on: {pass: ^complete, fail: ${retry}}}`),
    ).toEqual(["main:work DONE", "main:both/look/look OK", "main:both/sure/sure yes", "main:both ok"]);
  });

  test("through another region that writes while one proves", () => {
    expect(
      way(
        `${top}
      both:
        parallel:
          prove: {check: tests, on: {pass: sure, fail: ^ok}}
          more: {dispatch: coder, reports: [DONE], on: {DONE: ^ok}}
        join: [ok]
        on: {ok: trouble}
      sure: {ask: Sure?, on: {"yes": ^^complete, "no": ^ok}}`
          .replace("start: work", "start: both")
          .replace("counters: {tries: {limit: 3, over: trouble}}", "counters: {}"),
      ),
    ).toEqual(["main:both/prove/prove pass", "main:both/more/more DONE", "main:both/prove/sure yes"]);
  });

  test("inside a child, and through what its parent does afterwards", () => {
    expect(
      way(`${top}
      work: {dispatch: coder, reports: [DONE], on: {DONE: pieces}}
      pieces: {each: items, machine: piece, min: 1, join: [done], first: {failed: trouble}, on: {done: ^complete}}
  piece:
    like: base
    start: prove
    counters: {tries: {limit: 2, over: ^failed}}
    errors: {abort: ^failed}
    states:
      prove: {check: tests, on: {pass: polish, fail: {to: self, do: [{count: tries}]}}}
      polish: {dispatch: coder, reports: [DONE, NOTHING], on: {DONE: prove_again, NOTHING: ^done}}
      prove_again: {check: tests, on: {pass: ^done, fail: ^failed}}`),
    ).toEqual(["main:work DONE", "piece:prove pass", "piece:polish NOTHING", "main:pieces done"]);
  });

  test("through a counter that ran out, as often as its limit says", () => {
    expect(
      way(`
    start: work
    counters: {tries: {limit: 3, over: enough}}
    states:
      ${work}
      prove: {check: tests, on: {pass: ^complete, fail: ${retry}}}
      enough: {ask: Enough?, on: {"yes": ^complete}}`),
    ).toEqual([
      "main:work DONE",
      "main:prove fail",
      "main:work DONE",
      "main:prove fail",
      "main:work DONE",
      "main:prove fail (tries)",
      "main:enough yes",
    ]);
  });

  test("through the same failure twice, and on the way back from a breaker", () => {
    expect(
      way(`
    start: work
    counters: {tries: {limit: 3, over: trouble}, again: {limit: 2, same: true, over: repeated}}
    states:
      ${work}
      prove: {check: tests, on: {pass: ^complete, fail: {to: work, do: [{count: again}, {count: tries}]}}}
      repeated: {ask: Twice the same, on: {stop: ^failed, context: back, ship: ^complete}}`),
    ).toEqual([
      "main:work DONE",
      "main:prove fail",
      "main:work DONE",
      "main:prove fail (again)",
      "main:repeated ship",
    ]);
  });

  test("through an abort", () => {
    expect(
      way(`
    errors: {abort: ^complete}
    start: work
    counters: {tries: {limit: 3, over: trouble}}
    states:
      ${work}
      prove: {check: tests, on: {pass: ^complete, fail: ${retry}}}`),
    ).toEqual(["main:work abort"]);
  });
});

describe("no way is told where there is none", () => {
  const after = (writes: string) => `${top}
      ${work}
      prove: {check: tests, on: {pass: finish, fail: ${retry}}}
      finish: {dispatch: coder, writes: ${writes}, reports: [DONE], on: {DONE: ^complete}}`;

  test("when what follows the check writes nothing, documents or a review", () => {
    expect(["none", "documents", "review"].map((writes) => codes(after(writes)))).toEqual([[], [], []]);
    expect(["tests", "source", "scaffold"].map((writes) => codes(after(writes)))).toEqual(
      Array(3).fill(["unproven_complete"]),
    );
  });

  test("when the role's own permission is narrowed or widened by the state", () => {
    expect(codes(after("none").replace("dispatch: coder, writes: none", "dispatch: reader"))).toEqual([]);
    expect(codes(after("source").replace("dispatch: coder", "dispatch: reader"))).toEqual([
      "unproven_complete",
    ]);
  });

  test("when a pass has a hint, and when it is asked afterwards", () => {
    const text = `${top}
      ${work}
      prove: {check: tests, on: {pass.slowly: sure, fail: ${retry}}}
      sure: {ask: Sure?, on: {"yes": ^complete}}`;
    const hinted = protocolText(text).replace("tests: [pass, fail]", "tests: [pass.slowly, fail]");
    expect(problemsOf(load("p", { p: hinted }))).toEqual([]);
  });

  test("when the counter that leads there can never run out", () => {
    const text = (limit: number) => `
    start: prove
    counters: {odd: {limit: ${limit}, over: ^complete}}
    states:
      prove: {check: tests, on: {pass: ^complete, fail: {to: sure, do: [{count: odd}]}}}
      sure: {ask: Sure?, on: {stop: ^failed}}`;
    expect(codes(text(2))).toEqual([]);
    expect(codes(text(1))).toEqual(["unproven_complete"]);
  });
});
