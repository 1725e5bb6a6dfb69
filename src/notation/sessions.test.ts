import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSession, planSession, stampOf, tddSession } from "./sessions.ts";

const ms = Date.UTC(2026, 0, 31, 12, 5, 6, 7);

test("a dialogue is named by kind, time and cycle", () => {
  expect(stampOf(ms)).toBe("20260131T120506007Z");
  expect(planSession(ms)).toBe("PLAN_20260131T120506007Z");
  expect(tddSession(ms, 3)).toBe("TDD_20260131T120506007Z_C3");
});

test("names survive print and parse", () => {
  const times = fc.nat({ max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 999_999_999 }), (at, cycle) => {
      expect(parseSession(planSession(at))).toEqual({ kind: "PLAN", ms: at, cycle: null });
      expect(parseSession(tddSession(at, cycle))).toEqual({ kind: "TDD", ms: at, cycle });
    }),
  );
});

test.each([
  "",
  "PLAN",
  "PLAN_20260131T120506007Z_C1",
  "TDD_20260131T120506007Z",
  "TDD_20260131T120506007Z_C0",
  "TDD_20260131T120506007Z_C01",
  "PLAN_20260231T120506007Z",
  "PLAN_20260131T250506007Z",
  "plan_20260131T120506007Z",
  " PLAN_20260131T120506007Z",
])("%j is no name of a dialogue", (name) => {
  expect(parseSession(name)).toBeNull();
});
