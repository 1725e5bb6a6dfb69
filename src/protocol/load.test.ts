import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { verifies } from "../../test/verifies.ts";
import { load, problemsOf, protocolText, refusal, sourcesOf, textOf } from "./fixtures/sources.ts";
import { loadProtocol, readProtocolFile } from "./load.ts";
import { allSpots } from "./levels.ts";
import { thrown } from "../../test/support/thrown.ts";

const allKinds = readFileSync(new URL("fixtures/all-kinds.yaml", import.meta.url), "utf8");

describe("a protocol file", () => {
  verifies("CORE-01", "with every kind of state is accepted", () => {
    const protocol = load("all-kinds", { "all-kinds": allKinds });
    const kinds = Object.values(protocol.machines)
      .flatMap(allSpots)
      .map(({ state }) => state.kind);
    expect([...new Set(kinds)].toSorted()).toEqual([
      "ask",
      "check",
      "dispatch",
      "each",
      "end",
      "merge",
      "parallel",
      "rebase",
    ]);
    expect(problemsOf(protocol)).toEqual([]);
  });

  verifies(
    "CORE-01",
    "is refused with file, line, column, message and what is allowed, whatever is wrong with it",
    () => {
      const main = (state: string) => ({ p: protocolText(`    start: a\n    states:\n      a: ${state}`) });
      const check = "{check: tests, on: {pass: ^complete, fail: ^failed}}";
      const refusals = {
        "YAML error": refusal("p", { p: "version: 1\nprotocol: [p\n" }),
        "duplicate key": refusal("p", {
          p: protocolText("    start: a\n    start: b\n    states: {a: " + check + "}"),
        }),
        "unknown key of the file": refusal("p", {
          p: protocolText(`    start: a\n    states: {a: ${check}}`, "owner: me"),
        }),
        "unknown key of a kind": refusal(
          "p",
          main("{check: tests, reports: [X], on: {pass: ^complete, fail: ^failed}}"),
        ),
        "unknown kind of file": refusal("p", { p: "version: 1\nprotocol: p\nkind: movie\n" }),
        "unknown kind of state": refusal("p", main("{dispach: coder, on: {DONE: ^complete}}")),
        "two kinds": refusal("p", main("{check: tests, dispatch: coder, on: {pass: ^complete}}")),
        "wrong type": refusal("p", main("{dispatch: coder, reports: DONE, on: {DONE: ^complete}}")),
        "wrong word": refusal("p", main("{ask: Well?, as: stuck, on: {yes: ^complete}}")),
        "bad name": refusal("p", { p: protocolText("    start: a\n    states: {self: " + check + "}") }),
        "missing key": refusal("p", { p: "version: 1\nkind: machine\n" }),
        "bad action": refusal(
          "p",
          main("{ask: Well?, on: {yes: {to: ^failed, do: [{count: x, reset: y}]}}}"),
        ),
      };
      expect(refusals).toMatchInlineSnapshot(`
      {
        "YAML error": [
          "p.yaml:3:1: the list or mapping before this is not closed by ]",
        ],
        "bad action": [
          "p.yaml:14:52: an action has exactly one of these keys (allowed: count, reset, set, note, open, emit)",
        ],
        "bad name": [
          "p.yaml:13:14: "self" is not a valid name: self, back, resume are targets, not names",
        ],
        "duplicate key": [
          "p.yaml:13:5: this key is here twice",
        ],
        "missing key": [
          "p.yaml:1:1: the key "protocol" is missing",
        ],
        "two kinds": [
          "p.yaml:14:11: a state has one kind, not dispatch and check (allowed: dispatch, check, merge, rebase, ask, parallel, each, end)",
        ],
        "unknown key of a kind": [
          "p.yaml:14:25: reports does not go with check (allowed: check, like, on, errors, set, note, mode, phase, lock, events)",
        ],
        "unknown key of the file": [
          "p.yaml:9:1: unknown key "owner" (allowed: version, protocol, kind, extends, about, features, reminders, roles, gates, machines)",
        ],
        "unknown kind of file": [
          "p.yaml:3:7: kind: the text "movie" is not allowed here (allowed: machine, steps)",
        ],
        "unknown kind of state": [
          "p.yaml:14:11: unknown key "dispach" (allowed: like, on, errors, set, note, mode, phase, lock, dispatch, reports, params, ctx, thread, sees, writes, template, reply, payload, check, merge, rebase, ask, to, as, shows, each, machine, order, join, first, keep, min, end, parallel, events)",
        ],
        "wrong type": [
          "p.yaml:14:37: reports: expected a list, got the text "DONE"",
        ],
        "wrong word": [
          "p.yaml:14:27: as: the text "stuck" is not allowed here (allowed: waiting, escalated, inconclusive, failed)",
        ],
      }
    `);
    },
  );

  verifies("CORE-01", "that is not UTF-8 is refused where the first bad byte stands", () => {
    const bytes = Uint8Array.of(...new TextEncoder().encode("version: 1\nabout: "), 0xc3, 0x28, 0x0a);
    const error = thrown(() => readProtocolFile({ file: "p.yaml", text: bytes }));
    expect([error.code, error.exitCode, error.message]).toEqual([
      "protocol_invalid",
      2,
      "p.yaml:2:8: not valid UTF-8 here",
    ]);
  });

  verifies("CORE-01", "tells all its faults in one answer", () => {
    const text = protocolText(`
    start: a
    begin: a
    states:
      a: {check: tests, sees: [x], on: {pass: ^complete}, on: {fail: ^failed}}
      b: {ask: 3, as: never}`);
    expect(refusal("p", { p: text })).toMatchInlineSnapshot(`
      [
        "p.yaml:13:5: unknown key "begin" (allowed: like, abstract, session, start, counters, errors, events, states)",
        "p.yaml:15:25: sees does not go with check (allowed: check, like, on, errors, set, note, mode, phase, lock, events)",
        "p.yaml:15:59: this key is here twice",
        "p.yaml:16:16: ask: expected a text, got the number 3",
        "p.yaml:16:23: as: the text "never" is not allowed here (allowed: waiting, escalated, inconclusive, failed)",
      ]
    `);
  });

  test("of a newer version is left alone, of an older or odd one is faulty", () => {
    const newer = thrown(() => load("p", { p: "version: 2\nprotocol: p\nkind: machine\nnovelty: true\n" }));
    expect([newer.code, newer.detail]).toEqual([
      "version_unsupported",
      { what: "p.yaml", found: 2, known: 1 },
    ]);
    for (const version of ["0", "1.5", "'1'"]) {
      expect(refusal("p", { p: `version: ${version}\nprotocol: p\nkind: machine\n` })[0]).toMatch(
        /^p\.yaml:1:10: version: .* is not allowed here \(allowed: 1\)$/,
      );
    }
  });

  test("of a name that does not exist is told with those that do", () => {
    const error = thrown(() => loadProtocol("orchestra", sourcesOf()));
    expect([error.code, error.hint, error.detail]).toEqual([
      "protocol_unknown",
      "use one of: base, continue, dptr, graph, orchestrate, plan, riper, steps",
      { known: ["base", "continue", "dptr", "graph", "orchestrate", "plan", "riper", "steps"] },
    ]);
  });
});

describe("a steps file", () => {
  const steps = `
name: fixing
description: Fix it
extends: null
inputs:
  - {name: prompt_num, type: integer, optional: false, description: number}
outputs:
  - {value: "{ success: true }", description: done}
steps:
  1: |
    Look
  6+: |
    * more
  6.1: Insert
  6.10: Tenth, not first`;

  test("keeps its step numbers as they are written", () => {
    const read = readProtocolFile({ file: "fixing.yaml", text: steps });
    expect(read.kind === "steps" && read.file.steps).toEqual({
      "1": "Look\n",
      "6+": "* more\n",
      "6.1": "Insert",
      "6.10": "Tenth, not first",
    });
  });

  test("is refused with every unknown field, wrong type, empty or ill-numbered step", () => {
    const text =
      "kind: steps\nname: fixing\ntitle: x\ndescription: Fix\ninputs: [{name: a, type: number, optional: maybe}]\nsteps:\n  one: Look\n  2: '  '\n";
    expect(refusal("fixing", { fixing: text })).toMatchInlineSnapshot(`
      [
        "fixing.yaml:3:1: unknown key "title" (allowed: kind, name, description, extends, inputs, outputs, steps)",
        "fixing.yaml:5:10: the key "description" is missing",
        "fixing.yaml:5:26: type: the text "number" is not allowed here (allowed: integer, string, array)",
        "fixing.yaml:5:44: optional: expected true or false, got the text "maybe"",
        "fixing.yaml:7:3: "one" is not a valid name: a step number such as 6, 6.10 or 6+",
        "fixing.yaml:8:6: 2: a step has a text",
      ]
    `);
  });

  test("is no machine, and none can extend it", () => {
    const error = thrown(() => load("fixing", { fixing: steps }));
    expect([error.code, error.message, error.hint]).toEqual([
      "protocol_invalid",
      "fixing.yaml: fixing is a steps protocol, not a machine",
      "print its steps with: envoy protocol fixing",
    ]);
    expect(
      refusal("p", { fixing: steps, p: "version: 1\nprotocol: p\nkind: machine\nextends: fixing\n" }),
    ).toEqual(["p.yaml:4:1: fixing is a steps protocol: no machine can extend it"]);
  });
});

describe("the shipped protocols and the sketches", () => {
  test.each(["orchestrate", "dptr", "riper", "graph"] as const)("%s is sound", (name) => {
    expect(problemsOf(load(name))).toEqual([]);
    expect(textOf(name)).toContain("version: 1");
  });

  test("base is a library: nothing of it runs by itself", () => {
    const base = load("base");
    expect(base.machines).toEqual({});
    expect(problemsOf(base).map(({ code }) => code)).toEqual(["no_main"]);
  });
});

describe("reminders and payloads", () => {
  const main =
    "    start: a\n    states: {a: {dispatch: coder, reports: [A, B], payload: {A: plan}, on: {A: a, B: a}}}";
  const file = (more: string, role = "") =>
    protocolText(main, more).replace("template: code}", `template: code${role}}`);

  test("stand in the protocol as they were written, and nowhere where they were not", () => {
    const plain = load("p", { p: file("") });
    expect([plain.reminders, plain.roles["coder"]?.reminders, plain.roles["coder"]?.payload]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const set = load("p", { p: file("reminders: 3", ", reminders: 10, payload: plan") });
    expect([set.reminders, set.roles["coder"]]).toEqual([
      3,
      expect.objectContaining({ reminders: 10, payload: "plan" }),
    ]);
    expect(set.machines["main"]?.states["a"]).toMatchObject({ payload: { A: "plan" } });
  });

  test("are inherited: a role's mapping is added to, a name replaces it", () => {
    const base = file("reminders: 3", ", payload: {A: plan}");
    const over = (role: string) =>
      `version: 1\nprotocol: q\nkind: machine\nextends: p\nroles: {coder: ${role}}\n`;
    const added = load("q", { p: base, q: over("{payload: {B: critique}}") });
    expect([added.reminders, added.roles["coder"]?.payload]).toEqual([3, { A: "plan", B: "critique" }]);
    expect(load("q", { p: base, q: over("{payload: plan}") }).roles["coder"]?.payload).toBe("plan");
  });

  test.each(["0", "11", "1.5", "true"])("%s reminders are refused with the place", (number) => {
    const [fault = ""] = refusal("p", { p: file("", `, reminders: ${number}`) });
    expect(fault).toMatch(/^p\.yaml:6:\d+: reminders: /);
    expect(refusal("p", { p: file(`reminders: ${number}`) })).toEqual([
      expect.stringMatching(/^p\.yaml:9:\d+: reminders: /),
    ]);
  });
});

describe("docs/protocol.md", () => {
  const fences = [
    ...readFileSync("docs/protocol.md", "utf8").matchAll(/```yaml\n(version: 1\n[\s\S]*?)```/g),
  ];

  test("shows protocols that are sound", () => {
    const texts = fences.map(([, text = ""]) => text);
    expect(texts.map((text) => /^protocol: (.*)$/m.exec(text)?.[1])).toEqual(["small", "careful"]);
    const [small = "", careful = ""] = texts;
    expect(problemsOf(load("small", { small }))).toEqual([]);
    expect(problemsOf(load("careful", { careful }))).toEqual([]);
  });
});
