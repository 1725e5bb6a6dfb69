import { expect, test } from "vitest";
import { gateRowsText } from "./gate-rows.ts";

test("a gate is told by its rows: a mark, the record, the numbers and who reviewed it", () => {
  const text = gateRowsText([
    {
      gate: "cycle_green",
      key: "green_gate#1",
      phase: "ℜᴳ",
      cycle: 1,
      verdict: "fail",
      outcome: "fail.tests",
      rows: [
        {
          name: "Tests passing",
          mark: "fail",
          basis: "record",
          record: "r1/7",
          why: "required: 1 failed\u001b[2J",
        },
        {
          name: "Minimal implementation",
          mark: "review",
          basis: "review",
          record: "r1/7",
          numbers: { lines_before: 3, unexecuted_lines: "none" },
          reviews: [
            { reviewer: "QA", status: "NEEDS_CHANGE", session: "TDD_1_C1", round: 6 },
            { reviewer: "QA", status: "APPROVED", session: "", round: 7 },
          ],
          why: "",
        },
        { name: "No test modifications", mark: "pass", basis: "record", record: "r1/7", why: "" },
      ],
    },
    {
      gate: "suite",
      key: "suite#1",
      phase: null,
      cycle: null,
      verdict: "inconclusive",
      outcome: "inconclusive",
      rows: [{ name: "environment", mark: "inconclusive", basis: "record", why: "no runner" }],
    },
  ]);
  expect(text.split("\n")).toEqual([
    "cycle_green fail.tests  (cycle 1, ℜᴳ, green_gate#1)",
    "  ❌ Tests passing  r1/7",
    "     required: 1 failed",
    "  ⚠️ Minimal implementation  r1/7",
    "     lines_before 3, unexecuted_lines none",
    "     QA NEEDS_CHANGE, OBS[STDD_1_C1,R6]",
    "     QA APPROVED, round 7",
    "  ✅ No test modifications  r1/7",
    "",
    "suite inconclusive  (suite#1)",
    "  ❔ environment",
    "     no runner",
  ]);
  expect(gateRowsText([])).toBe("no gate was judged yet");
});
