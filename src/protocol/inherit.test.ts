import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { load, problemsOf, refusal } from "./fixtures/sources.ts";
import type { Machine, Protocol, State } from "./machine.ts";

/** Orchestrate with one more review before the person approves the code. */
const careful = `version: 1
protocol: careful
kind: machine
extends: orchestrate
about: Orchestrate with a security review
roles:
  security: {writes: none, template: security-review, isolated: true}
  coder: {template: careful-implementer}
machines:
  main:
    counters:
      green: {limit: 7}
    states:
      code_gate: {on: {pass: security}}
      security:
        dispatch: security
        phase: 8 CODE_DUAL_REVIEW
        reports: [APPROVED, NEEDS_WORK]
        on:
          APPROVED: user_gate_code
          NEEDS_WORK: {to: green, do: [{reset: [green, same_error]}, {count: gate3}]}
`;

function stateOf(protocol: Protocol, name: string, machine = "main"): State | undefined {
  return protocol.machines[machine]?.states[name];
}

function mainOf(protocol: Protocol): Machine | undefined {
  return protocol.machines["main"];
}

function extension(main: string, more = ""): Record<string, string> {
  return {
    p: `version: 1\nprotocol: p\nkind: machine\nextends: orchestrate\n${more}machines:\n  main:\n${main}\n`,
  };
}

describe("extends", () => {
  verifies(
    "CORE-02",
    "adds a state, changes a route, a limit and a template, and leaves the rest as it was",
    () => {
      const base = load("orchestrate");
      const own = load("careful", { careful });

      expect([own.name, own.bases]).toEqual(["careful", ["orchestrate", "base"]]);
      expect(problemsOf(own)).toEqual([]);
      expect(own.roles["coder"]).toEqual({
        ...base.roles["coder"],
        template: "careful-implementer",
        at: expect.anything(),
      });
      expect(own.roles["security"]).toMatchObject({ writes: "none", label: "Security", isolated: true });
      expect(mainOf(own)?.counters["green"]).toMatchObject({
        limit: 7,
        from: 1,
        over: { to: { type: "state", state: "manual" } },
      });
      expect(stateOf(own, "code_gate")).toMatchObject({
        kind: "check",
        gate: "gate3",
        on: {
          pass: { to: { type: "state", state: "security" } },
          fail: stateOf(base, "code_gate")?.on["fail"],
        },
      });
      expect(stateOf(own, "security")).toMatchObject({
        kind: "dispatch",
        role: "security",
        thread: { type: "fresh" },
      });

      const changed = ["code_gate", "security"];
      const rest = (protocol: Protocol) =>
        Object.fromEntries(
          Object.entries(mainOf(protocol)?.states ?? {}).filter(([name]) => !changed.includes(name)),
        );
      expect(rest(own)).toEqual(rest(base));
    },
  );

  verifies("CORE-02", "keeps the positions of the file that wrote each part", () => {
    const own = load("careful", { careful });
    expect(stateOf(own, "security")?.at).toEqual({ file: "careful.yaml", line: 15, column: 7 });
    expect(stateOf(own, "code_gate")?.on["pass"]?.at).toEqual({ file: "careful.yaml", line: 14, column: 24 });
    expect(stateOf(own, "code_gate")?.on["fail"]?.at.file).toBe("orchestrate.yaml");
    expect(stateOf(own, "paused")?.at.file).toBe("base.yaml");
  });

  verifies("CORE-02", "replaces a state that names a kind as a whole, and takes one away with null", () => {
    const own = load(
      "p",
      extension(`    states:
      question: {ask: What do you mean?, on: {reply: back}}
      green: {reports: [GC], on: {TI: null}}
      dispute: null
      disputed: null
    counters: {disputes: null}`),
    );
    expect(stateOf(own, "question")).toMatchObject({
      text: "What do you mean?",
      on: { reply: { to: { type: "back" } } },
    });
    expect(Object.keys(stateOf(own, "question")?.on ?? {})).toEqual(["reply"]);
    expect(Object.keys(stateOf(own, "green")?.on ?? {})).toEqual(["GC"]);
    expect([stateOf(own, "dispute"), stateOf(own, "disputed")]).toEqual([undefined, undefined]);
  });

  verifies("CORE-02", "refuses an unknown base, a circle, and a change of what the base lacks", () => {
    expect(refusal("p", { p: "version: 1\nprotocol: p\nkind: machine\nextends: orchestra\n" })).toEqual([
      "p.yaml:4:1: no protocol orchestra to extend (allowed: base, continue, dptr, graph, orchestrate, p, plan, riper, steps)",
    ]);
    const file = (name: string, base: string) =>
      `version: 1\nprotocol: ${name}\nkind: machine\nextends: ${base}\n`;
    expect(refusal("a", { a: file("a", "b"), b: file("b", "c"), c: file("c", "a") })).toEqual([
      "c.yaml:4:1: extends refers back to itself: a -> b -> c -> a",
    ]);
    expect(refusal("a", { a: file("a", "b"), b: file("other", "base") })).toEqual([
      "a.yaml:4:1: the file of b says that it is other",
    ]);
    const lacking = extension(
      `    states:
      grin: {on: {GC: green_check}}
      green: {on: {XX: green_check}}
      red_check: {on: {pass: tset_review}}
      planing: null
    counters: {red: {over: {do: [{note: x}]}}}`,
      "roles: {tester: {isolated: false}, tster: {isolated: true}}\n",
    );
    expect(refusal("p", lacking)).toMatchInlineSnapshot(`
      [
        "p.yaml:5:36: tster has no writes, and inherits none",
        "p.yaml:5:36: tster has no template, and inherits none",
        "p.yaml:9:7: the state grin has no kind, and there is none of this name to change (allowed: dispatch, check, merge, rebase, ask, parallel, each, end)",
        "p.yaml:11:24: red_check: pass leads to tset_review, which is no state here (allowed: paused, trouble, not_converging, intake, topics_check, questions, spec_check, planning, plan_check, plan_review, plan_gate, user_gate_plan, plan_approved, red, red_check, test_review, test_gate, green, green_check, dispute, disputed, code_review, code_gate, user_gate_code, code_approved, summary, review_loop, red_loop, manual, repeated, context_full, final_failed, question, unreadable, grin)",
        "p.yaml:12:7: planing has no value, and nothing is inherited that it could remove",
        "p.yaml:13:22: the route over has no target (to)",
      ]
    `);
    const dangling = extension(`    states:
      green: {on: {GC: gren_check}}`);
    expect(refusal("p", dangling)[0]).toMatch(
      /^p\.yaml:8:20: green: GC leads to gren_check, which is no state here \(allowed: /,
    );
    const impossible = extension(`    states:
      green: {on: {XX: green_check}}
      red_check: {on: {fail.odd: red}}
      plan_review: {on: {NEEDS_WORK.tests: red}, first: {WORSE: red}}`);
    expect(refusal("p", impossible)).toMatchInlineSnapshot(`
      [
        "p.yaml:8:20: green routes XX, an outcome that cannot come (allowed: GC, TI, ME, TO, EX, BL, inconclusive, CF)",
        "p.yaml:9:24: red_check routes fail.odd, an outcome that cannot come (allowed: pass, fail, inconclusive)",
        "p.yaml:10:26: plan_review routes NEEDS_WORK.tests, an outcome that cannot come (allowed: NEEDS_WORK, APPROVED, SKIPPED, WORSE)",
        "p.yaml:10:26: test_review routes NEEDS_WORK.tests, an outcome that cannot come (allowed: NEEDS_WORK, APPROVED, SKIPPED, WORSE)",
        "p.yaml:10:58: plan_review routes WORSE, an outcome that cannot come (allowed: APPROVED, NEEDS_WORK, SKIPPED)",
        "p.yaml:10:58: test_review routes WORSE, an outcome that cannot come (allowed: APPROVED, NEEDS_WORK, SKIPPED)",
        "p.yaml:10:58: code_review routes WORSE, an outcome that cannot come (allowed: APPROVED, NEEDS_WORK, NEEDS_WORK.tests, SKIPPED)",
      ]
    `);
  });
});

describe("like", () => {
  const like = `version: 1
protocol: p
kind: machine
extends: base
roles: {coder: {writes: source, template: code}}
gates: {tests: [pass, fail]}
machines:
  pattern:
    abstract: true
    like: base
    start: work
    counters: {tries: {limit: 3, over: trouble}}
    states:
      work: {dispatch: coder, reports: [DONE], mode: A, on: {DONE: test}}
      test: {check: tests, on: {pass: ^done, fail: {to: work, do: [{count: tries}]}}}
      unused: {ask: Nobody comes here, on: {ok: back}}
  main:
    like: pattern
    errors: {abort: ^failed}
    states:
      work: {mode: B}
      test: {on: {pass: again}}
      again: {like: test, on: {pass: more}}
      more:
        parallel:
          one: {like: work, mode: C, on: {DONE: ^ok}}
          two:
            start: first
            states:
              first: {like: second, on: {fail: ^ok}}
              second: {check: tests, on: {pass: ^ok, fail: first}}
        join: [ok]
        on: {ok: ^complete}
`;

  test("takes a machine or a state and changes what is named, in the machine that names it", () => {
    const protocol = load("p", { p: like });
    expect(Object.keys(protocol.machines)).toEqual(["main"]);
    expect(stateOf(protocol, "work")).toMatchObject({ kind: "dispatch", role: "coder", mode: "B" });
    expect(stateOf(protocol, "again")).toMatchObject({
      name: "again",
      kind: "check",
      on: {
        pass: { to: { state: "more" } },
        fail: { to: { state: "work" }, do: [{ type: "count", counter: "tries" }] },
      },
    });
    const more = stateOf(protocol, "more");
    expect(more).toMatchObject({
      regions: {
        one: {
          start: "one",
          states: {
            one: {
              name: "one",
              role: "coder",
              mode: "C",
              on: { DONE: { to: { type: "out", outcome: "ok" } } },
            },
          },
        },
        two: {
          start: "first",
          states: {
            first: {
              kind: "check",
              on: { pass: { to: { outcome: "ok" } }, fail: { to: { outcome: "ok" } } },
            },
          },
        },
      },
    });
    expect(mainOf(protocol)?.errors["abort"]?.to).toEqual({ type: "out", outcome: "failed" });
    expect(mainOf(protocol)?.errors["ME"]?.to).toEqual({ type: "state", state: "trouble" });
  });

  test("of an abstract machine marks what nobody needs to reach, until it is changed", () => {
    const mayBeUnreachable = (text: string) =>
      Object.values(mainOf(load("p", { p: text }))?.states ?? {}).flatMap((state) =>
        state.mayBeUnreachable ? [state.name] : [],
      );
    expect(mayBeUnreachable(like)).toEqual(["paused", "trouble", "not_converging", "unused"]);
    expect(
      mayBeUnreachable(like.replace("work: {mode: B}", "work: {mode: B}\n      unused: {phase: one}")),
    ).toEqual(["paused", "trouble", "not_converging"]);
  });

  test("merges regions by name, and a list as a whole", () => {
    const orchestrate = load("orchestrate");
    const review = stateOf(orchestrate, "code_review");
    const pattern = stateOf(orchestrate, "plan_review");
    if (review?.kind !== "parallel" || pattern?.kind !== "parallel") throw new Error("both are parallel");
    expect(review.join).toEqual(["NEEDS_WORK.tests", "NEEDS_WORK", "APPROVED", "SKIPPED"]);
    expect(review.regions["claude"]?.states["claude"]).toMatchObject({
      sees: ["source", "tests"],
      errors: pattern.regions["claude"]?.states["claude"]?.errors,
    });
    expect(Object.keys(review.on)).toEqual(["APPROVED", "NEEDS_WORK", "SKIPPED", "NEEDS_WORK.tests"]);
  });

  test("that leads nowhere or in a circle is refused, by file and line", () => {
    const machines = (text: string) => ({
      p: `version: 1\nprotocol: p\nkind: machine\nextends: base\nmachines:\n${text}`,
    });
    expect(
      refusal(
        "p",
        machines(`  main: {like: other}
  other: {like: main}
  third: {like: bass}
`),
      ),
    ).toEqual([
      "p.yaml:6:10: like refers back to itself: other -> main -> other",
      "p.yaml:7:11: like refers back to itself: main -> other -> main",
      "p.yaml:8:11: no machine bass (allowed: base, main, other, third)",
    ]);
    expect(
      refusal(
        "p",
        machines(`  main:
    start: a
    states:
      a: {like: b}
      b: {like: a}
      c: {like: d}
      e: {parallel: {one: {like: e}}}
`),
      ),
    ).toEqual([
      "p.yaml:9:11: like refers back to itself: b -> a -> b",
      "p.yaml:10:11: like refers back to itself: a -> b -> a",
      "p.yaml:11:11: no state d (allowed: a, b, c, e)",
      "p.yaml:12:28: like refers back to itself: e -> one -> e",
    ]);
  });

  test("through anchors and aliases gives the same protocol as written out", () => {
    const text = (first: string, second: string) =>
      extension(`    states:
      final_failed: {on: {context: ${first}, approach: ${second}, reset: ${second}}}`);
    const route = "{to: green, do: [{reset: [gate3]}]}";
    const routesOf = (texts: Record<string, string>) =>
      Object.values(stateOf(load("p", texts), "final_failed")?.on ?? {}).map(({ to, do: actions }) => ({
        to,
        actions,
      }));
    expect(routesOf(text(`&again ${route}`, "*again"))).toEqual(routesOf(text(route, route)));
    expect(routesOf(text(`&again ${route}`, "*again"))).toHaveLength(3);
  });
});
