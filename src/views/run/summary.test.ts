import { expect, test } from "vitest";
import { verifies } from "../../../test/verifies.ts";
import { lastLine, summary, type SummaryFacts } from "./summary.ts";

const block = { text: "┌──┐\n│ EXECUTION_BLOCK\n└──┘", exitCode: 0 };

const facts: SummaryFacts = {
  run: "k7m2xq",
  protocol: "orchestrate",
  task: "Make slugs",
  outcome: "complete",
  reason: "",
  requirements: [{ id: "FR1", text: "Lower case", tests: ["slug.test.js::lower"] }],
  files: ["src/slug.js", "tests/slug.test.js"],
  gates: [
    {
      name: "gate 1 (plan)",
      reviews: [
        { label: "Gemini", given: 2, limit: 3, all: 2 },
        { label: "Claude", given: 2, limit: 3, all: 2 },
      ],
      marks: [],
    },
    {
      name: "gate 2 (tests)",
      reviews: [{ label: "Claude", given: 1, limit: 3, all: 1 }],
      marks: ["single-reviewer"],
    },
    {
      name: "gate 3 (code)",
      reviews: [
        { label: "Gemini", given: 1, limit: 3, all: 1 },
        { label: "Claude", given: 1, limit: 3, all: 1 },
      ],
      marks: ["same-vendor review"],
    },
  ],
  warnings: ["Gemini stayed silent twice at gate 2"],
  trips: [{ trigger: "Same error twice", attempts: 2, max: 2 }],
  cost: "$0.42",
  branch: "mettle/k7m2xq/result",
  block,
  failing: [],
};

verifies("ORC-85", "the TLDR names everything, then the block, then that it is complete", () => {
  expect(summary(facts)).toBe(`TLDR
Task: Make slugs

Requirements (1):
  FR1: Lower case [slug.test.js::lower]

Files changed (2):
  src/slug.js
  tests/slug.test.js

Reviews (3):
  gate 1 (plan): Gemini 2/3, Claude 2/3
  gate 2 (tests): Claude 1/3 [single-reviewer]
  gate 3 (code): Gemini 1/3, Claude 1/3 [same-vendor review]

Warnings (1):
  Gemini stayed silent twice at gate 2

Circuit breakers tripped (1):
  Same error twice, attempts 2/2

Cost: $0.42
Branch: mettle/k7m2xq/result
Verify: mettle verify k7m2xq
Land: mettle land k7m2xq

${block.text}

✓ ORCHESTRATION COMPLETE`);
});

test.each<[Partial<SummaryFacts>, string]>([
  [{ outcome: "halted", reason: "aborted by\na person" }, "aborted by a person"],
  [{ outcome: "failed", reason: "" }, "failed"],
  [{ outcome: "stopped", reason: "MANUAL INTERVENTION REQUIRED" }, "MANUAL INTERVENTION REQUIRED"],
  [{ block: null }, "the final verification did not run"],
  [{ block: { ...block, exitCode: 1 } }, "the final verification ended with EXIT_CODE 1"],
  [{ block: { ...block, exitCode: null } }, "the final verification ended with EXIT_CODE none"],
  [{ failing: ["slug.test.js::lower"] }, "1 required test did not pass"],
  [{ failing: ["a", "b"] }, "2 required tests did not pass"],
])("without proof the last line says that it is not done: %j", (more, reason) => {
  const text = summary({ ...facts, ...more });
  expect(text.split("\n").at(-1)).toBe(`✗ NOT DONE: ${reason}`);
  expect(lastLine({ ...facts, ...more })).toBe(`✗ NOT DONE: ${reason}`);
  expect(text).not.toContain("ORCHESTRATION COMPLETE");
  expect(text).not.toContain("mettle land");
});

test("an unproven requirement is marked, a failing one by name, and an unknown cost is unknown", () => {
  expect(summary({ ...facts, block: null, cost: "unknown" })).toContain(
    "UNVERIFIED: there is no record with exit 0 for the current tree\n\nRequirements (1):\n  FR1: Lower case [slug.test.js::lower] UNVERIFIED\n",
  );
  expect(summary({ ...facts, cost: "unknown" })).toContain("Cost: unknown\n");
  expect(summary({ ...facts, failing: ["slug.test.js::lower"] })).toContain(
    "1 failing test: slug.test.js::lower\n\nRequirements (1):\n  FR1: Lower case [slug.test.js::lower] FAILING\n",
  );
});
