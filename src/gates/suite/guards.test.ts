import { expect, test } from "vitest";
import type { Characterization } from "./characterization.ts";
import { judgeGuards } from "./guards.ts";

const [strong, weak, still] = ["tests/a.js::strong", "tests/a.js::weak", "tests/a.js::still"];

test("a guard that notices no fault is refused; one that could not be tried is one finding with the others", () => {
  const found: Characterization = {
    state: "measured",
    noticed: new Map([[strong, { path: "src/a.js", line: 3, by: "0" }]]),
    powerless: [
      { id: weak, tried: 4 },
      { id: still, tried: 0 },
    ],
    open: [],
    budgetMs: 1_000,
  };
  expect(judgeGuards(found, [strong, weak, still])).toEqual({
    check: expect.objectContaining({
      name: "guards",
      verdict: "fail",
      tests: [weak],
      acceptable: true,
      reason: `1 test passes without the change, and would notice no fault: ${weak} notices none of 4 faults; a test that compares what the code returns is accepted, and so is \`--accept-test ID\``,
    }),
    findings: [
      expect.objectContaining({
        code: "passes_already",
        message: `1 test passes without the change, and nothing shows that it would notice a fault (no code that it executes can be mutated): ${still}`,
      }),
    ],
  });
});

test("without a measurement all guards are one finding, and none is refused", () => {
  const { check, findings } = judgeGuards({ state: "not measured", why: "no time" }, [strong, weak]);
  expect([check.verdict, findings.map(({ message }) => message)]).toEqual([
    "pass",
    [
      `2 tests pass without the change, and nothing shows that they would notice a fault (no time): ${strong}, ${weak}`,
    ],
  ]);
});
