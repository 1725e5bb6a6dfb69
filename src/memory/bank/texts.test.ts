import { expect, test } from "vitest";
import { matchesAny } from "../../source/paths.ts";
import type { ActiveState } from "./active-state.ts";
import { partsNamed } from "./document.ts";
import { readStateText } from "./fixtures/read-state-text.ts";
import { progressText, type CycleProgress } from "./progress-text.ts";
import { parseProtection } from "./protection.ts";
import { findReferences } from "./references.ts";
import { stateText } from "./state-text.ts";

const dptr: ActiveState = {
  session_id: "PLAN_1",
  tdd_session_id: null,
  arch_critique: [
    {
      module: "auth",
      decision: "REVISE",
      text: "two\nlines",
      issues: [{ problem: "- plan_approved: true", suggestion: "<!-- mettle:end -->" }],
    },
  ],
  design_approved: false,
  design_feedback: 'see [↗️σ₁:R9]\n"quoted"\u2028',
  design_rejected: null,
  plan_approved: false,
  tdd_mode: true,
  tdd_phase: "refactor",
  "Ω₅ᵀ.state": "ℜᶠ",
  current_cycle: 2,
  qa_agent_active: true,
  de_agent_active: false,
  refactor_stage: "qa_cross_review",
  last_test_result: "pass",
  failure_analysis: null,
};
const riper: ActiveState = {
  Ω_current: "Ω₅ᵀ",
  Ω_session: null,
  sessions: { S_p: "PLAN_1", S_t: null },
  ...dptr,
  handoff_from: "Ω₄ᶜ",
  handoff_to: "Ω₅ᵀ",
  handoff_summary: "plan accepted",
  handoff_timestamp: "2026-01-31T12:00:00.000Z",
};

test("the state has each field on one line, and parses back to the same values", () => {
  for (const state of [dptr, riper]) {
    const text = stateText(state);
    expect(readStateText(text)).toEqual(state);
    expect(text.split("\n").map((line) => /^- (\S+): /u.exec(line)?.[1])).toEqual(Object.keys(state));
    expect(text).not.toMatch(/<!--|\u2028/u);
  }
  expect(stateText(dptr)).not.toMatch(/Ω_|handoff|sessions/u);
  expect(() => readStateText(stateText(dptr).replace('"pass"', '"green"'))).toThrow(/last_test_result/u);
});

test("a field of the state can be addressed, and its text is not read as a reference", () => {
  const text = stateText(riper);
  expect(partsNamed(text, "plan_approved").map((part) => part.text)).toEqual(["false"]);
  expect(partsNamed(text, "Ω_current").map((part) => part.text)).toEqual(['"Ω₅ᵀ"']);
  expect(partsNamed(text, "Ω₅ᵀ.state").map((part) => part.text)).toEqual(['"ℜᶠ"']);
  const files = [{ path: "memory-bank/notes.md", text }];
  expect(findReferences(files, { protection: true })).toEqual([]);
});

const cycles: readonly CycleProgress[] = [
  { index: 1, method: "Auth.login()", status: "done" },
  {
    index: 2,
    method: "Auth.logout()",
    status: "failed",
    class: "TEST_FAILURE",
    evidence: "R1/7",
    error: "a\n<!-- b",
  },
  { index: 3, method: "Auth.a()", status: "inconclusive", evidence: "R1/8" },
  { index: 4, method: "Auth.b()", status: "working" },
  { index: 12, method: "Auth.c()", status: "open" },
];

test("progress lists each cycle with its sign, and a failure with its class and record", () => {
  expect(progressText({ cycles, showsWork: true }).split("\n")).toEqual([
    "### TDD Cycles",
    "",
    "- ✅ TDD₁: Auth.login() → ℜ→ℜᴳ→ℜᶠ",
    "- ❌ TDD₂: Auth.logout() → ℜ→ℜᴳ→ℜᶠ (TEST_FAILURE, R1/7)",
    "  a &lt;!-- b",
    "- ⚠️ TDD₃: Auth.a() → ℜ→ℜᴳ→ℜᶠ (R1/8)",
    "- 🔄 TDD₄: Auth.b() → ℜ→ℜᴳ→ℜᶠ",
    "- □ TDD₁₂: Auth.c() → ℜ→ℜᴳ→ℜᶠ",
  ]);
  expect(progressText({ cycles, showsWork: false })).toContain("- □ TDD₄: ");
  expect(partsNamed(progressText({ cycles, showsWork: true }), "tdd_cycles")).toHaveLength(1);
  expect(progressText({ cycles: [], showsWork: true })).toContain("No plan is accepted yet.");
});

test("the patterns of σ₆ match like in .gitignore", () => {
  const text =
    "\uFEFF# Protection\r\n\r\ndb/**\r\n*.sql\r\n  secrets/  \r\n/config.json\nsrc/{a,b}/x[0-9].ts\nb c/d\n";
  const patterns = parseProtection(text);
  expect(patterns.map(({ line, written }) => `${line} ${written}`)).toEqual([
    "3 db/**",
    "4 *.sql",
    "5 secrets/",
    "6 /config.json",
    "7 src/{a,b}/x[0-9].ts",
    "8 b c/d",
  ]);
  const globs = patterns.map(({ glob }) => glob);
  const isProtected = (path: string) => matchesAny(path, globs);
  const yes = [
    "db/x.sql",
    "deep/x.sql",
    "secrets/a/b",
    "deep/secrets/a",
    "config.json",
    "src/b/x1.ts",
    "b c/d/e",
  ];
  expect(yes.filter((path) => !isProtected(path))).toEqual([]);
  expect(
    ["dbx/a.ts", "deep/config.json", "src/c/x1.ts", "src/a/xy.ts", "README.md"].filter(isProtected),
  ).toEqual([]);
});

test("a line of σ₆ that would protect nothing is refused with file and line", () => {
  const bad = [
    "[",
    "a]",
    "{a,b",
    "a}",
    "[]",
    "[z-a]",
    "!a",
    "a\\b",
    "../a",
    "/",
    ".",
    "- db/**",
    "`db`",
    "<!-- a -->",
  ];
  const refused = bad.map((line) => {
    try {
      parseProtection(`# p\n${line}\n`);
    } catch (error) {
      return (
        error instanceof Error && "code" in error && `${String(error.code)} ${error.message.split(": ")[0]}`
      );
    }
    return line;
  });
  expect(new Set(refused)).toEqual(new Set(["bad_pattern memory-bank/protection.md:2"]));
});
