import { expect, test } from "vitest";
import { elapsedText, progressLine, type ProgressState } from "./progress-line.ts";

const progress: ProgressState = {
  phase: "7 TDD_GREEN",
  agent: "coder (claude)",
  round: 1,
  attempt: { value: 2, limit: 5 },
  elapsedMs: 80_000,
  lastEvidence: "green: exit 1,\n2 failing",
};

test("one line says phase, agent, round, attempt, elapsed time and the last evidence", () => {
  expect(progressLine(progress)).toBe(
    "Phase7_TDD_GREEN · coder (claude) · round 1 · attempt 2/5 · 1m 20s · last: green: exit 1, 2 failing",
  );
  expect(progressLine({ ...progress, agent: null, attempt: null, lastEvidence: null })).toBe(
    "Phase7_TDD_GREEN · mettle · round 1 · 1m 20s · nothing proven yet",
  );
  expect(progressLine({ ...progress, attempt: { value: 3, limit: null } })).toContain(" · attempt 3 · ");
});

test("a narrow terminal gets one line of its width", () => {
  expect(progressLine(progress, 20)).toBe("Phase7_TDD_GREEN · …");
  expect(progressLine(progress, 200)).toBe(progressLine(progress));
});

test.each([
  [-5, "0s"],
  [59_999, "59s"],
  [185_000, "3m 05s"],
  [7_440_000, "2h 04m"],
])("%d ms are %s", (ms, text) => {
  expect(elapsedText(ms)).toBe(text);
});
