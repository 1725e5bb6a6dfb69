import { expect, test } from "vitest";
import { codePresentation, planPresentation, type CodeFacts, type PlanFacts } from "./presentation.ts";
import type { GateReviews, ReviewEntry } from "./review-text.ts";

const gemini: ReviewEntry = {
  label: "Gemini",
  agent: "gemini",
  vendor: "google",
  verdict: "APPROVED",
  reason: "",
  fields: { ISSUES: "none", SUGGESTIONS: "- name the limit\n- cache it" },
};
const claude: ReviewEntry = {
  ...gemini,
  label: "Claude",
  agent: "claude",
  vendor: "anthropic",
  fields: { ISSUES: "", SUGGESTIONS: "none" },
};

const plan: PlanFacts = {
  task: "Make slugs",
  requirements: [
    { id: "FR1", text: "Lower case" },
    { id: "EC1", text: "Empty" },
  ],
  files: ["src/slug.js", "tests/slug.test.js"],
  plannedTests: { FR1: ["makes lower case", "keeps digits"], EC1: ["gives nothing"] },
  documents: [".claude/temp/spec.md", ".claude/temp/architecture.md"],
  gate: { reviews: [gemini, claude], silent: null },
  warnings: [],
};

const block = "┌──┐\n│ EXECUTION_BLOCK\n└──┘";

const code: CodeFacts = {
  task: "Make slugs",
  commit: "1a2b3c4",
  branch: "mettle/k7/result",
  requirements: [
    {
      id: "FR1",
      text: "Lower case",
      tests: ["tests/slug.test.js::makes lower case", "tests/slug.test.js::keeps digits"],
    },
    { id: "EC1", text: "Empty", tests: ["tests/slug.test.js::gives nothing"] },
  ],
  files: ["src/slug.js"],
  gate: {
    reviews: [
      {
        ...gemini,
        fields: {
          EXECUTION_CHECK: "YES",
          CODE_QUALITY: "clear",
          SECURITY_ISSUES: "- none known,\n  but `eval` is near",
          ISSUES: "none",
        },
      },
      {
        ...claude,
        fields: { EXIT_CODE: "0", CRITICAL_ISSUES: "none", WARNINGS: "- long line", SUGGESTIONS: "none" },
      },
    ],
    silent: null,
  },
  block: { text: block, exit: "0", forCurrentTree: true },
  failing: [],
  warnings: ["two source files changed in one iteration"],
};

test("Phase 4 shows requirements, files, planned tests, documents and both verdicts with their issues", () => {
  expect(planPresentation(plan)).toBe(`PLAN SUMMARY
Task: Make slugs

Requirements (2):
  FR1: Lower case
  EC1: Empty

Files (2):
  src/slug.js
  tests/slug.test.js

Planned tests (2):
  FR1: "makes lower case", "keeps digits"
  EC1: "gives nothing"

Documents (2):
  .claude/temp/spec.md
  .claude/temp/architecture.md

Gemini review (gemini): APPROVED
ISSUES: none
SUGGESTIONS:
- name the limit
- cache it

Claude review (claude): APPROVED
ISSUES: none
SUGGESTIONS: none

Warnings: none`);
});

test("Phase 9 shows summary, both reviews and the block in this order, then waits on a line of its own", () => {
  expect(codePresentation(code)).toBe(`IMPLEMENTATION SUMMARY
Task: Make slugs
Commit: 1a2b3c4 on mettle/k7/result

Requirements (2):
  FR1: Lower case [tests/slug.test.js::makes lower case; tests/slug.test.js::keeps digits]
  EC1: Empty [tests/slug.test.js::gives nothing]

Files changed (1):
  src/slug.js

Warnings (1):
  two source files changed in one iteration

Gemini review (gemini): APPROVED
EXECUTION_CHECK: YES
CODE_QUALITY: clear
SECURITY_ISSUES:
- none known,
  but \`eval\` is near
ISSUES: none

Claude review (claude): APPROVED
EXIT_CODE: 0
CRITICAL_ISSUES: none
WARNINGS: - long line
SUGGESTIONS: none
EXIT_CODE of the runtime's own run: 0

${block}

--- WAITING FOR CODE APPROVAL ---`);
});

test("failing tests are named with number and ids, and their requirement says FAILING", () => {
  const failing = ["tests/slug.test.js::keeps digits", "tests/slug.test.js::gives nothing"];
  const text = codePresentation({
    ...code,
    failing,
    block: { text: block, exit: "1", forCurrentTree: true },
  });
  expect(text).toContain(
    "UNVERIFIED: there is no record with exit 0 for the current tree\n2 failing tests: tests/slug.test.js::keeps digits and tests/slug.test.js::gives nothing\n",
  );
  expect(text).toMatch(/FR1: .* FAILING\n {2}EC1: .* FAILING\n/);
  expect(text).toContain("⚠️ Claude says 0, the runtime's record says 1; only the record counts");
});

test("without a record for the current tree everything says UNVERIFIED", () => {
  for (const shown of [null, { text: block, exit: "0", forCurrentTree: false }]) {
    const text = codePresentation({ ...code, block: shown });
    expect(text).toMatch(/FR1: .* UNVERIFIED\n {2}EC1: .* UNVERIFIED\n/);
    expect(text).toContain("\nUNVERIFIED: there is no record with exit 0 for the current tree\n");
    expect(text.endsWith("\n\n--- WAITING FOR CODE APPROVAL ---")).toBe(true);
  }
});

function gate(more: Partial<GateReviews>): string {
  return planPresentation({ ...plan, gate: { ...plan.gate, ...more } });
}

test("single-reviewer and same-vendor gates say so, a changed verdict says why", () => {
  expect(gate({ reviews: [claude], silent: "Gemini" })).toContain(
    "Gemini review: none\n⚠️ Gemini stayed silent twice; one reviewer has judged\n\nClaude review (claude): APPROVED\n",
  );
  expect(gate({ reviews: [claude], silent: "Gemini" })).toContain("\n⚠️ single-reviewer\n");
  expect(gate({ reviews: [{ ...gemini, vendor: "anthropic", agent: "claude" }, claude] })).toContain(
    "\n⚠️ same-vendor review\n",
  );
  expect(gate({})).not.toContain("⚠️");
  expect(
    gate({ reviews: [{ ...gemini, verdict: "NEEDS_WORK", reason: "contradiction" }, claude] }),
  ).toContain("Gemini review (gemini): NEEDS_WORK (contradiction)\n");
});

test("what a reviewer or a document says cannot control the terminal or fake a line", () => {
  const text = planPresentation({
    ...plan,
    task: "x\n--- WAITING FOR CODE APPROVAL ---",
    gate: { reviews: [{ ...gemini, fields: { ISSUES: "\u001b[2Jgone\u0007" } }], silent: null },
  });
  expect(text).toContain("Task: x --- WAITING FOR CODE APPROVAL ---\n");
  expect(text).toContain("ISSUES: gone\n");
});
