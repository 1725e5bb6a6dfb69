import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { checkProtocol } from "./check.ts";
import { load, problemsOf, protocolText, textOf } from "./fixtures/sources.ts";

/** Line 12 is `start`; the states begin with line 15. */
const sound = [
  "    start: work",
  "    counters: {tries: {limit: 3, over: trouble}}",
  "    states:",
  "      work: {dispatch: coder, reports: [DONE], on: {DONE: prove}}",
  "      prove: {check: tests, on: {pass: ^complete, fail: {to: work, do: [{count: tries}]}}}",
].join("\n");

const faults: Record<string, (text: string) => string> = {
  unrouted_status: (text) => text.replace("reports: [DONE]", "reports: [DONE, STUCK]"),
  unbounded_loop: (text) => text.replace("fail: {to: work, do: [{count: tries}]}", "fail: work"),
  unproven_complete: (text) =>
    text.replace("pass: ^complete", "pass: polish") +
    "\n      polish: {dispatch: coder, reports: [DONE], on: {DONE: ^complete}}",
  unreachable_state: (text) => `${text}\n      island: {ask: Anybody there?, on: {yes: work}}`,
  unknown_role: (text) =>
    text.replace("DONE: prove", "DONE: look") +
    "\n      look: {dispatch: critic, writes: none, reports: [OK], on: {OK: prove}}",
  unknown_template: (text) => text.replace("reports: [DONE", "template: cod, reports: [DONE"),
};

function problems(main: string, more = "") {
  return problemsOf(load("p", { p: protocolText(main, more) }), ["code", "read"]);
}

/** Checked where the schemas of payloads are known. */
function payloadProblems(damage: (text: string) => string) {
  const protocol = load("p", { p: damage(protocolText(sound)) });
  const library = { templates: new Set(["code", "read"]), payloads: new Set(["plan", "critique"]) };
  return checkProtocol(protocol, library).map(({ code, at, message }) => `${code} ${at.line}: ${message}`);
}

function short(main: string, more = "") {
  return problems(main, more).map(({ code, machine, state, at, message }) => ({
    code,
    where: `${machine}/${state} ${at.file}:${at.line}`,
    message,
  }));
}

describe("the checker", () => {
  verifies("CORE-03", "has nothing against a sound protocol", () => {
    expect(problems(sound)).toEqual([]);
  });

  verifies("CORE-03", "names each of six faults with its code, state and line", () => {
    const found = Object.fromEntries(
      Object.entries(faults).map(([code, damage]) => [code, short(damage(sound))]),
    );
    for (const [code, each] of Object.entries(found))
      expect(each.map((problem) => problem.code)).toEqual([code]);
    expect(found).toMatchInlineSnapshot(`
      {
        "unbounded_loop": [
          {
            "code": "unbounded_loop",
            "message": "work, prove can go round without a counter that ends it",
            "where": "main/work p.yaml:15",
          },
        ],
        "unknown_role": [
          {
            "code": "unknown_role",
            "message": "look is for the role critic, which is none of: coder, reader",
            "where": "main/look p.yaml:17",
          },
        ],
        "unknown_template": [
          {
            "code": "unknown_template",
            "message": "work uses the template cod, which is none of: code, read",
            "where": "main/work p.yaml:15",
          },
        ],
        "unproven_complete": [
          {
            "code": "unproven_complete",
            "message": "complete can be reached with nothing executed since the last writing: work DONE, prove pass, polish DONE",
            "where": "main/polish p.yaml:17",
          },
        ],
        "unreachable_state": [
          {
            "code": "unreachable_state",
            "message": "nothing leads to island",
            "where": "main/island p.yaml:17",
          },
        ],
        "unrouted_status": [
          {
            "code": "unrouted_status",
            "message": "work has no route for STUCK",
            "where": "main/work p.yaml:15",
          },
        ],
      }
    `);
  });

  verifies("CORE-03", "names all six in one protocol", () => {
    const all = Object.values(faults).reduce((text, damage) => damage(text), sound);
    expect(short(all).map(({ code, where }) => [code, where])).toMatchInlineSnapshot(`
      [
        [
          "unrouted_status",
          "main/work p.yaml:15",
        ],
        [
          "unknown_template",
          "main/work p.yaml:15",
        ],
        [
          "unbounded_loop",
          "main/work p.yaml:15",
        ],
        [
          "unproven_complete",
          "main/polish p.yaml:17",
        ],
        [
          "unreachable_state",
          "main/island p.yaml:18",
        ],
        [
          "unknown_role",
          "main/look p.yaml:19",
        ],
      ]
    `);
    expect(new Set(problems(all).map(({ code }) => code))).toEqual(new Set(Object.keys(faults)));
  });

  verifies("CORE-10", "refuses a counter without a route, with 0, with a fraction, or without limit", () => {
    const counters = (text: string) =>
      short(sound.replace("{tries: {limit: 3, over: trouble}}", text)).filter(
        ({ code }) => code !== "unbounded_loop",
      );
    expect(
      [
        "{tries: {limit: 3}}",
        "{tries: {limit: 0, over: trouble}}",
        "{tries: {limit: 1.5, over: trouble}}",
        "{tries: {limit: -2, over: trouble}}",
        "{tries: {over: trouble}}",
      ].map(counters),
    ).toEqual(
      [
        "leads nowhere when it is used up (over)",
        "has the limit 0, which is no number of tries",
        "has the limit 1.5, which is no number of tries",
        "has the limit -2, which is no number of tries",
        "has no limit",
      ].map((fault) => [
        { code: "bad_counter", where: "main/undefined p.yaml:13", message: `the counter tries ${fault}` },
      ]),
    );
  });

  test("names an end that no run has, where it is written", () => {
    expect(short(sound.replace("pass: ^complete", "pass: ^done"))).toEqual([
      {
        code: "bad_end",
        where: "main/prove p.yaml:16",
        message: "a run cannot end with done: it ends complete, halted, failed",
      },
    ]);
    expect(short(`    errors: {abort: ^gone}\n${sound}`).map(({ code }) => code)).toEqual(["bad_end"]);
  });

  test("names gates and counters that do not exist", () => {
    const text = sound
      .replace("check: tests", "check: testing")
      .replace("pass: ^complete", "pass: {to: ^complete, do: [{reset: [tries, rounds]}]}")
      .replace("count: tries", "count: attempts");
    expect(short(text).filter(({ code }) => /^(unknown|bad)/.test(code))).toMatchInlineSnapshot(`
      [
        {
          "code": "unknown_gate",
          "message": "prove runs the gate testing, which is none of: tests",
          "where": "main/prove p.yaml:16",
        },
        {
          "code": "unknown_counter",
          "message": "the counter rounds is none of: tries",
          "where": "main/prove p.yaml:16",
        },
        {
          "code": "unknown_counter",
          "message": "the counter attempts is none of: tries",
          "where": "main/prove p.yaml:16",
        },
      ]
    `);
  });

  test("wants a route of its own for each hint that is declared, and for an abort", () => {
    const text = sound.replace("reports: [DONE]", "reports: [DONE, DONE.early]");
    expect(short(text).map(({ code, message }) => [code, message])).toEqual([
      ["unrouted_status", "work has no route for DONE.early"],
    ]);
    expect(short(`    errors: {abort: null}\n${sound}`).map(({ code, message }) => [code, message])).toEqual([
      ["unrouted_status", "errors of main has no route for abort"],
    ]);
  });
});

describe("a join", () => {
  const parallel = (regions: string, join: string) =>
    sound.replace("DONE: prove", "DONE: both") +
    `\n      both:\n        parallel: {${regions}}\n        ${join}`;
  const look = (name: string, outs: string) =>
    `${name}: {dispatch: reader, reports: ["yes", "no"], on: ${outs}}`;

  test("knows every end of its regions, and none that they lack", () => {
    const text = parallel(
      [look("a", `{"yes": ^yes, "no": ^no}`), look("b", `{"yes": ^yes, "no": ^never.mind}`)].join(", "),
      `join: ["yes", maybe, "yes"]\n        first: {"no": prove}\n        on: {"yes": prove, maybe: prove}`,
    );
    expect(short(text)).toMatchInlineSnapshot(`
      [
        {
          "code": "bad_join",
          "message": "a region can end with never.mind, which is neither in join nor in first of both",
          "where": "main/both p.yaml:17",
        },
        {
          "code": "bad_join",
          "message": "both joins maybe, which a region never ends with",
          "where": "main/both p.yaml:17",
        },
        {
          "code": "bad_join",
          "message": "both joins yes twice",
          "where": "main/both p.yaml:17",
        },
      ]
    `);
  });

  test("counts an end that a counter leads to, and one through an ask of the machine", () => {
    const text = parallel(
      [
        look("a", `{"yes": ^yes, "no": {to: self, do: [{count: looks}]}}`),
        look("b", `{"yes": ^yes, "no": unsure}`),
      ].join(", "),
      `join: ["yes", tired, dropped]\n        on: {"yes": prove, tired: prove, dropped: prove}\n      unsure: {ask: Well?, on: {drop: ^dropped}}`,
    ).replace("counters: {", "counters: {looks: {limit: 2, scope: visit, over: ^tired}, ");
    expect(short(text)).toEqual([]);
    expect(
      short(text.replace('join: ["yes", tired, dropped]', 'join: ["yes"]')).map(({ message }) => message),
    ).toEqual([
      "a region can end with tired, which is neither in join nor in first of both",
      "a region can end with dropped, which is neither in join nor in first of both",
    ]);
  });

  test("of an each knows every end of its machine, and that a child may ask", () => {
    const text = (first: string, join: string) =>
      sound.replace("DONE: prove", "DONE: pieces") +
      `
      pieces: {each: items, machine: piece, first: ${first}, join: ${join}, on: {merged: prove, none: prove}}
  piece:
    like: base
    start: work
    errors: {abort: ^failed}
    states:
      work: {dispatch: coder, reports: [DONE, TI], on: {DONE: ^merged, TI: unsure}}
      unsure: {ask: Well?, to: parent, on: {answer: ^failed.late}}`;
    expect(short(text("{asked: trouble, failed: trouble}", "[merged]"))).toEqual([]);
    expect(short(text("{}", "[merged]")).map(({ code, message }) => [code, message])).toEqual([
      [
        "bad_join",
        "the machine piece can end with failed.late, which is neither in join nor in first of pieces",
      ],
      ["bad_join", "the machine piece can ask its parent, and pieces has no route for asked in first"],
    ]);
  });
});

describe("a copy of orchestrate", () => {
  const damage: readonly (readonly [what: string, from: string, to: string, codes: readonly string[]])[] = [
    [
      "the route of a status",
      ", TI: { to: dispute, do: [{ count: disputes }] } }",
      " }",
      ["unrouted_status green", "unreachable_state dispute", "unreachable_state disputed"],
    ],
    [
      "the limit of the test reviews",
      "{ reset: red }, { count: gate2 }",
      "{ reset: red }",
      ["unbounded_loop red"],
    ],
    [
      "the count of a loop",
      "{ count: same_error }, { count: green }",
      "{ count: same_error }",
      ["unbounded_loop green"],
    ],
    [
      "a role",
      "  coder: { writes: source, template: implementer, isolated: true }\n",
      "",
      ["unknown_role green"],
    ],
    ["a gate", "  green: [pass, fail, fail.frozen, inconclusive]\n", "", ["unknown_gate green_check"]],
    [
      "the route of a hint",
      "fail.frozen: { to: green, thread: fresh, do: [{ count: green }] }",
      "",
      ["unrouted_status green_check"],
    ],
    [
      "a word of the join",
      "join: [NEEDS_WORK, APPROVED, SKIPPED]",
      "join: [NEEDS_WORK, APPROVED]",
      ["bad_join plan_review", "bad_join test_review"],
    ],
  ];

  test.each(damage)("without %s is refused", (_what, from, to, codes) => {
    const text = textOf("orchestrate");
    expect(text).toContain(from);
    const own = load("orchestrate", { orchestrate: text.replaceAll(from, to) });
    expect(problemsOf(own).map(({ code, state }) => `${code} ${state}`)).toEqual(codes);
  });
});

describe("payload schemas", () => {
  const onState = (payload: string) => (text: string) =>
    text.replace("reports: [DONE]", `reports: [DONE], payload: ${payload}`);
  const onRole = (payload: string) => (text: string) =>
    text.replace("template: code}", `template: code, payload: ${payload}}`);

  test("of a name that exists are accepted, for a state and for a role, for all codes and for one", () => {
    for (const damage of [
      onState("plan"),
      onState("{DONE: critique}"),
      onRole("plan"),
      onRole("{OTHER: plan}"),
    ])
      expect(payloadProblems(damage)).toEqual([]);
  });

  test("of another name are a problem that tells the known ones, with the state's word before its role's", () => {
    const message = "work uses the payload schema plann, which is none of: critique, plan";
    expect(payloadProblems(onState("plann"))).toEqual([`unknown_payload 15: ${message}`]);
    expect(payloadProblems(onRole("{DONE: plann}"))).toEqual([`unknown_payload 15: ${message}`]);
    expect(payloadProblems((text) => onRole("plann")(onState("plan")(text)))).toEqual([]);
  });

  test("for a code that the state does not report are a problem", () => {
    expect(payloadProblems(onState("{DON: plan}"))).toEqual([
      "unknown_payload 15: work has a payload for DON, which is none of its reports: DONE",
    ]);
  });

  test("are not looked at where nobody says which there are", () => {
    expect(problemsOf(load("p", { p: onState("plann")(protocolText(sound)) }), ["code", "read"])).toEqual([]);
  });
});
