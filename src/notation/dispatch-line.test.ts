import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { AppError } from "../lib/errors.ts";
import { load } from "../protocol/fixtures/sources.ts";
import { allSpots } from "../protocol/levels.ts";
import { parseDispatch, parameters, printDispatch, required, type Dispatch } from "./dispatch-line.ts";
import { findAgent, type AgentMode, type SymbolSet } from "./modes.ts";
import { phases, phasesOf, type Phase } from "./phases.ts";
import { thrown } from "../../test/support/thrown.ts";

const agents = Object.keys(required) as AgentMode[];

/** Every spelling of TDP-69 and TDP-73. */
const phaseSpellings: Readonly<Record<Phase, readonly string[]>> = {
  ℜ: ["ℜ", "Ω₅ᴿ", "RED"],
  ℜᴳ: ["ℜᴳ", "Ω₅ᴳ", "GREEN"],
  ℜᶠᵗ: ["ℜᶠᵗ", "ℜᶠᵗᵉˢᵗ", "Ω₅ᶠᵗᵉˢᵗ", "REFACTOR_TEST"],
  ℜᶠⁱ: ["ℜᶠⁱ", "ℜᶠⁱᵐᵖˡ", "Ω₅ᶠⁱᵐᵖˡ", "REFACTOR_IMPL"],
  review_tests: ["review_tests"],
  review_impl: ["review_impl"],
};
const agentSpellings: Readonly<Record<AgentMode, readonly string[]>> = {
  "Ω₁ᴾ": ["Ω₁ᴾ", "O1P", "Ω₁ᴰ", "Ω₁", "O1D", "O1"],
  "Ω₂ᴬ": ["Ω₂ᴬ", "O2A", "Ω₁ᶜ", "O1C"],
  "Ω₃ᴾ": ["Ω₃ᴾ", "O3P", "Ω₂ˢ", "Ω₂", "O2S", "O2"],
  "Ω₄ᶜ": ["Ω₄ᶜ", "O4C", "Ω₂ᶜ", "O2C"],
  "Ω₅ᵀ": ["Ω₅ᵀ", "O5T", "Ω₅", "O5", "Ω₃", "O3"],
  QA: ["QA", "Ω₃ᵍ", "O3G"],
  DE: ["DE", "Ω₃ᴱ", "O3E"],
  "Ω₆ⱽ": ["Ω₆ⱽ", "O6V", "Ω₄ᴿ", "Ω₄", "O4R", "O4"],
};

function refusal(line: string, symbolSet: SymbolSet = "riper"): string {
  try {
    return `accepted: ${printDispatch(parseDispatch(line, symbolSet))}`;
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.message.split(", in ")[0]}`;
    throw error;
  }
}

/** Any UTF-16 units, also lone surrogates. */
const unit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
const sid = fc.stringMatching(/^[A-Za-z0-9_Ω🙂.-][A-Za-z0-9_:Ω🙂.-]{0,20}$/u);
const text = fc.oneof(
  fc.string({ minLength: 1, unit }),
  fc
    .array(fc.constantFrom(",", "]", "[", "\\", "\n", "\r", "n", ":", " "), { minLength: 1 })
    .map((some) => some.join("")),
);

/** Dispatches under dptr, where a context is any text. */
function dispatchTo(agent: AgentMode): fc.Arbitrary<Dispatch> {
  const own = agent === "QA" || agent === "DE" ? phasesOf(agent) : phases.map(({ phase }) => phase);
  const values = {
    S: sid.map((value) => ({ sid: value })),
    R: fc.nat({ max: 999_999_999 }).map((round) => ({ round })),
    C: fc.integer({ min: 1, max: 999_999_999 }).map((cycle) => ({ cycle })),
    P: fc.constantFrom(...own).map((phase) => ({ phase })),
    CTX: text.map((ctx) => ({ ctx })),
  };
  const more = required[agent].includes("CTX") ? values.CTX : fc.option(values.CTX, { nil: {} });
  const wanted = required[agent].filter((name) => name !== "CTX").map((name) => values[name]);
  return fc.tuple(...wanted, more).map((parts): Dispatch => Object.assign({ agent }, ...parts));
}

const dispatch = fc.constantFrom(...agents).chain(dispatchTo);

describe("a dispatch line", () => {
  test.each<[Dispatch, string, SymbolSet]>([
    [{ agent: "Ω₁ᴾ" }, "Ω₁ᴾ[]", "riper"],
    [{ agent: "Ω₂ᴬ", ctx: "auth" }, "Ω₂ᴬ[CTX:auth]", "dptr"],
    [{ agent: "Ω₂ᴬ", ctx: "Λ₁" }, "Ω₂ᴬ[CTX:Λ₁]", "riper"],
    [{ agent: "Ω₂ᴬ", ctx: "Λ₂:auth" }, "Ω₂ᴬ[CTX:Λ₂:auth]", "riper"],
    [{ agent: "Ω₃ᴾ", sid: "PLAN_1", round: 0 }, "Ω₃ᴾ[SPLAN_1,R0]", "riper"],
    [{ agent: "Ω₃ᴾ", sid: "PLAN_1", round: 2, ctx: "revise" }, "Ω₃ᴾ[SPLAN_1,R2,CTX:revise]", "dptr"],
    [{ agent: "Ω₄ᶜ", sid: "PLAN_1", round: 1, ctx: "disagree" }, "Ω₄ᶜ[SPLAN_1,R1,CTX:disagree]", "riper"],
    [{ agent: "QA", sid: "TDD_1", round: 0, cycle: 1, phase: "ℜ" }, "QA[STDD_1,R0,C1,P:ℜ]", "riper"],
    [
      { agent: "DE", sid: "TDD_1", round: 3, cycle: 1, phase: "review_tests", ctx: "a,b]\\\nc" },
      String.raw`DE[STDD_1,R3,C1,P:review_tests,CTX:a\,b\]\\\nc]`,
      "riper",
    ],
    [{ agent: "Ω₅ᵀ", sid: "TDD_1", round: 0, cycle: 2, phase: "ℜᴳ" }, "Ω₅ᵀ[STDD_1,R0,C2,P:ℜᴳ]", "dptr"],
    [{ agent: "Ω₆ⱽ" }, "Ω₆ⱽ[]", "riper"],
    [{ agent: "Ω₆ⱽ", ctx: "FAILED" }, "Ω₆ⱽ[CTX:FAILED]", "dptr"],
  ])("of %j is %s", (given, line, symbolSet) => {
    expect(printDispatch(given)).toBe(line);
    expect(parseDispatch(line, symbolSet)).toEqual(given);
  });

  test("contains only what its agent requires", () => {
    const given = { sid: "s", round: 1, cycle: 1, phase: "ℜ" } as const;
    expect(printDispatch({ agent: "Ω₆ⱽ", ...given })).toBe("Ω₆ⱽ[]");
    expect(printDispatch({ agent: "Ω₄ᶜ", ...given })).toBe("Ω₄ᶜ[Ss,R1]");
    expect(Object.keys(parameters)).toEqual(["S", "R", "C", "P", "CTX"]);
  });

  test("is not printed for values that a line cannot contain", () => {
    const given = { agent: "Ω₃ᴾ", sid: "s", round: 0 } as const;
    const bad = [
      { round: 0.5 },
      { round: -1 },
      { sid: "a,b" },
      { sid: ":a" },
      { sid: "a\\" },
      { sid: "" },
      { ctx: "" },
    ];
    for (const value of bad) expect(() => printDispatch({ ...given, ...value })).toThrow(AppError);
    expect(() => printDispatch({ agent: "Ω₂ᴬ" })).toThrow("expected a context");
  });

  verifies("TDP-68", "survives print and parse", () => {
    fc.assert(
      fc.property(dispatch, (given) => {
        expect(parseDispatch(printDispatch(given), "dptr")).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  verifies(
    "TDP-69",
    "accepts parameters with or without a colon and every spelling of a phase, and prints one form",
    () => {
      for (const { phase, role } of phases)
        for (const spelling of phaseSpellings[phase])
          for (const line of [
            `${role}[Sx,R0,C1,P:${spelling},CTX:why]`,
            `${role}[S:x,R:0,C:1,P${spelling},CTXwhy]`,
            `${role}[S:x,R0,C:1,P:${spelling},CTXwhy]`,
          ])
            for (const symbolSet of ["riper", "dptr"] as const) {
              const read = parseDispatch(line, symbolSet);
              expect(read).toEqual({ agent: role, sid: "x", round: 0, cycle: 1, phase, ctx: "why" });
              expect(printDispatch(read)).toBe(`${role}[Sx,R0,C1,P:${phase},CTX:why]`);
            }
      expect(phases.map(({ phase }) => phase)).toEqual([
        "ℜ",
        "ℜᴳ",
        "ℜᶠᵗ",
        "ℜᶠⁱ",
        "review_tests",
        "review_impl",
      ]);
    },
  );

  test("accepts every spelling of a mode, and prints one", () => {
    expect(printDispatch(parseDispatch("Ω₂ˢ[SX,R0]", "dptr"))).toBe("Ω₃ᴾ[SX,R0]");
    expect(parseDispatch("Ω₂ˢ[SX,R0]", "dptr")).toEqual(parseDispatch("Ω₃ᴾ[SX,R0]", "dptr"));
    expect(printDispatch(parseDispatch("Ω₃ᵍ[SX,R0,C1,P:ℜ]", "dptr"))).toBe("QA[SX,R0,C1,P:ℜ]");
    expect(printDispatch(parseDispatch("O2A[CTX:L2:auth]", "riper"))).toBe("Ω₂ᴬ[CTX:Λ₂:auth]");
    expect(printDispatch(parseDispatch("O2A[CTXL1]", "riper"))).toBe("Ω₂ᴬ[CTX:Λ₁]");
    expect(printDispatch(parseDispatch("O2A[CTX:L1]", "dptr"))).toBe("Ω₂ᴬ[CTX:L1]");
    expect(refusal("Ω₂ˢ[SX,R0]")).toBe('unknown_mode column 1: "Ω₂ˢ" is not a mode of riper');
  });
});

test("the protocol files use the required parameters of each agent", () => {
  for (const name of ["riper", "dptr"] as const) {
    const { machines, roles } = load(name);
    const states = Object.values(machines).flatMap((machine) => allSpots(machine).map(({ state }) => state));
    const dispatches = states.filter((state) => state.kind === "dispatch");
    expect(dispatches.length).toBeGreaterThan(10);
    for (const { name: state, mode, role, params, phase } of dispatches) {
      const agent = findAgent(mode ?? roles[role]?.label ?? "", name);
      const wanted = agent === null ? null : required[agent];
      expect([name, state, params]).toEqual([name, state, wanted]);
      if (phase !== undefined) expect(phases.find((each) => each.phase === phase)?.role).toBe(agent);
    }
  }
});

verifies("TDP-74", "a wrong dispatch line is refused with a code, the position and the expected form", () => {
  const refused: Readonly<Record<string, string>> = {
    "Ω₃ᴾ[Sx]": "missing_param column 7: Ω₃ᴾ requires R",
    "Ω₃ᴾ[]": "missing_param column 5: Ω₃ᴾ requires S",
    "Ω₂ᴬ[]": "missing_param column 5: Ω₂ᴬ requires CTX",
    "QA[Sx,R0,C1]": "missing_param column 12: QA requires P",
    "Ω₆ⱽ[R1]": "unexpected_param column 5: Ω₆ⱽ takes no R",
    "Ω₃ᴾ[Sx,R0,P:ℜ]": "unexpected_param column 11: Ω₃ᴾ takes no P",
    "QA[X1]": 'unexpected_param column 4: QA takes no "X1"',
    "QA[sx,R0]": 'unexpected_param column 4: QA takes no "sx"',
    "QA[Sx,R0,P:ℜ,C1]": "bad_param column 14: C has to stand before P",
    "QA[CTX:a,Sx]": "bad_param column 10: S has to stand before CTX",
    "Ω₃ᴾ[Sx,Sy,R0]": "bad_param column 8: S is given twice",
    "QA[Sx,R-1,C1,P:ℜ]": "bad_param column 8: expected a whole number from 0",
    "QA[Sx,R:1.5,C1,P:ℜ]": "bad_param column 9: expected a whole number from 0",
    "QA[Sx,R01,C1,P:ℜ]": "bad_param column 8: expected a whole number from 0",
    "QA[Sx,R0,C-1,P:ℜ]": "bad_param column 11: expected a whole number from 1",
    "QA[Sx,R0,C0,P:ℜ]": "bad_param column 11: expected a whole number from 1",
    "QA[Sx,R0,Cone,P:ℜ]": "bad_param column 11: expected a whole number from 1",
    "QA[Sx,R9999999999,C1,P:ℜ]": "bad_param column 8: expected a whole number from 0",
    "QA[S,R0,C1,P:ℜ]": "bad_param column 5: expected the name of a session",
    "QA[Sa b,R0,C1,P:ℜ]": "bad_param column 5: expected the name of a session",
    "QA[S*,R0,C1,P:ℜ]": "bad_param column 5: expected the name of a session",
    "QA[Sx,R0,C1,P:ℜᴳ]": "bad_param column 15: QA works on ℜ, ℜᶠᵗ, review_impl",
    "DE[Sx,R0,C1,Pℜ]": "bad_param column 14: DE works on ℜᴳ, ℜᶠⁱ, review_tests",
    "QA[Sx,R0,C1,P:ℛ]": "bad_param column 15: expected a phase: write ℜ (U+211C)",
    "DE[Sx,R0,C1,P:green]": "bad_param column 15: expected a phase: write GREEN",
    "QA[Sx,R0,C1,P:ℜᶠ]":
      "bad_param column 15: expected a phase: the phases are ℜ (RED), ℜᴳ (GREEN), ℜᶠᵗ (REFACTOR_TEST), ℜᶠⁱ (REFACTOR_IMPL), review_tests, review_impl",
    "Ω₁ᴾ[CTX:]": "bad_param column 9: expected a context",
    "Ω₂ᴬ[CTX:auth]":
      'bad_param column 9: "auth" is not an audit: write Λ₁ (L1) for the whole design, Λ₂:module (L2:module) for one module',
    "Ω₂ᴬ[CTX:Λ₂:]":
      'bad_param column 9: "Λ₂:" is not an audit: write Λ₁ (L1) for the whole design, Λ₂:module (L2:module) for one module',
    "ZZ[]": 'unknown_mode column 1: "ZZ" is not a mode of riper',
    "MT[]": 'unknown_mode column 1: "MT" is not a mode of riper',
    " Ω₁ᴾ[]": 'unknown_mode column 1: " Ω₁ᴾ" is not a mode of riper',
    "[]": 'unknown_mode column 1: "" is not a mode of riper',
    "": 'bad_syntax column 1: expected "["',
    "Ω₁ᴾ": 'bad_syntax column 4: expected "["',
    "Ω₁ᴾ[": 'bad_syntax column 5: expected "]"',
    "Ω₁ᴾ[\\]": 'bad_syntax column 7: expected "]"',
    "Ω₁ᴾ[] x": 'bad_syntax column 6: expected the end after "]"',
    "Ω₁ᴾ[]\n": 'bad_syntax column 6: expected the end after "]"',
    "Ω₃ᴾ[Sx,,R0]": "bad_syntax column 8: expected a parameter",
    "Ω₃ᴾ[Sx,R0,]": "bad_syntax column 11: expected a parameter",
    "Ω₃ᴾ[Sx,\nR0]": "bad_syntax column 8: expected one line",
    "Ω₃ᴾ[Sx, R0]": 'unexpected_param column 8: Ω₃ᴾ takes no " R0"',
    "Ω₁ᴾ[CTX:a\\b]": "bad_syntax column 10: expected one of \\\\ \\, \\] \\n \\r",
  };
  expect(Object.keys(refused).map((line) => [line, refusal(line)])).toEqual(Object.entries(refused));
  for (const [line, given] of Object.entries(refused)) {
    const error = thrown(() => parseDispatch(line, "riper"));
    expect(error.detail).toMatchObject({ column: Number(/column (\d+)/u.exec(given)?.[1]) });
    expect(error.message).toContain(", in ");
    if (error.code !== "unknown_mode") expect(error.hint).toMatch(/^expected .+\[.*\]/u);
  }
  expect(thrown(() => parseDispatch("QA[Sx]", "riper")).hint).toBe(
    "expected QA[S{sid},R{round},C{cycle},P:{phase}]; CTX:{context} may follow",
  );
  fuzz();
});

/** Parsing throws only AppError, and an accepted line prints the same, except for spellings. */
function fuzz(): void {
  const soup = fc.constantFrom(
    "Ω₃ᴾ",
    "QA",
    "Ω₆ⱽ",
    "O2A",
    "[",
    "]",
    ",",
    "S",
    "R",
    "C",
    "P",
    "CTX",
    ":",
    "x",
    "0",
    "1",
    "ℜ",
    "\\",
    "\n",
    " ",
    "-",
    "Λ₁",
    "RED",
  );
  const lines = fc.oneof(
    fc.string(),
    fc.array(soup, { maxLength: 20 }).map((some) => some.join("")),
    spelled,
    fc
      .tuple(spelled, fc.nat(), fc.nat({ max: 3 }), fc.oneof(soup, fc.constant("")))
      .map(([line, at, cut, put]) => {
        const chars = [...line];
        chars.splice(at % (chars.length + 1), cut, put);
        return chars.join("");
      }),
  );
  let accepted = 0;
  fc.assert(
    fc.property(lines, fc.constantFrom<SymbolSet>("riper", "dptr"), (line, symbolSet) => {
      let read: Dispatch;
      try {
        read = parseDispatch(line, symbolSet);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        return;
      }
      accepted += 1;
      expect([line, plain(printDispatch(read), symbolSet)]).toEqual([line, plain(line, symbolSet)]);
      expect(parseDispatch(printDispatch(read), symbolSet)).toEqual(read);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(300);
}

/** A dispatch with any spelling. */
const spelled = dispatch.chain((given) => {
  const line = printDispatch(given);
  const open = line.indexOf("[");
  return fc
    .tuple(
      fc.constantFrom(...agentSpellings[given.agent]),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      fc.nat(),
    )
    .map(([name, colons, pick]) => {
      const pieces = line.slice(open + 1, -1).split(/(?<=^(?:[^\\]|\\.)*),/su);
      const others = pieces.map((piece, index) => {
        const [, param = "", value = ""] = /^(CTX|[SRCP]):?(.*)$/su.exec(piece) ?? [];
        const names = given.phase === undefined ? [] : phaseSpellings[given.phase];
        const shown = param === "P" ? (names[pick % names.length] ?? value) : value;
        return `${param}${colons[index] || value.startsWith(":") ? ":" : ""}${shown}`;
      });
      return `${name}[${others.join(",")}]`;
    });
});

/** The line with canonical spellings, computed without the parser. */
function plain(line: string, symbolSet: SymbolSet): string {
  const open = line.indexOf("[");
  const agent = agents.find((each) => agentSpellings[each].includes(line.slice(0, open))) ?? "nobody";
  const pieces = line
    .slice(open + 1, -1)
    .split(/(?<=^(?:[^\\]|\\.)*),/su)
    .map((piece) => piece.replace(/^(CTX|[SRCP]):/u, "$1"))
    .map((piece) => {
      const phase = phases.find(
        (each) => piece.startsWith("P") && phaseSpellings[each.phase].includes(piece.slice(1)),
      );
      if (phase !== undefined) return `P${phase.phase}`;
      return symbolSet === "riper" && agent === "Ω₂ᴬ"
        ? piece.replace(/^CTXL1/u, "CTXΛ₁").replace(/^CTXL2:/u, "CTXΛ₂:")
        : piece;
    });
  return `${agent}[${pieces.join(",")}]${line.slice(line.lastIndexOf("]") + 1)}`;
}
