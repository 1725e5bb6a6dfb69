import { expect, test } from "vitest";
import { testsOf } from "./criteria.ts";

test("a criterion is covered by its id in a title or by a planned title that exists", () => {
  const covered = testsOf({
    criteria: ["FR1", "FR-2", "EC1", "ERR1", "FR10"],
    tests: [
      "tests/a.js::add::FR1 adds",
      "tests/a.js::FR2: more#2",
      "tests/a.js::add::empty input",
      "tests/FR10.js::other, XFR10 and FR100",
    ],
    plan: { EC1: ["Empty  input"], ERR1: ["never written"] },
  });
  expect(covered).toEqual({
    FR1: ["tests/a.js::add::FR1 adds"],
    "FR-2": ["tests/a.js::FR2: more#2"],
    EC1: ["tests/a.js::add::empty input"],
    ERR1: [],
    FR10: [],
  });
});
