import { expect, test } from "vitest";
import { durationText } from "../config/durations.ts";
import { usedBudget } from "./budget.ts";

const none = { costUsd: null, tokens: null, turns: null, timeMs: null };
const spent = { tokens: 1200, costUsd: 1.5, dispatches: 3, withoutCost: 0, turns: 4, workedMs: 90_000 };

test.each([
  ["no budget", none, spent, null],
  ["below", { costUsd: 1.51, tokens: 1201, turns: 5, timeMs: 90_001 }, spent, null],
  ["unknown", { ...none, costUsd: 1, tokens: 1 }, { ...spent, costUsd: null, tokens: null }, null],
  ["cost", { ...none, costUsd: 1.5 }, spent, "$1.50 of $1.50; usd=3"],
  [
    "cost in part",
    { ...none, costUsd: 1 },
    { ...spent, withoutCost: 2 },
    "$1.50 of $1.00, and 2 of 3 dispatches reported no cost; usd=2",
  ],
  ["tokens", { ...none, tokens: 1000 }, spent, "1200 of 1000 tokens; tokens=2000"],
  ["turns", { ...none, turns: 3 }, spent, "agents had 4 of 3 turns; turns=6"],
  ["much more than twice", { ...none, tokens: 100 }, spent, "1200 of 100 tokens; tokens=1600"],
  ["a run of an earlier version", { costUsd: null, tokens: null, timeMs: null }, spent, null],
  ["time", { ...none, timeMs: 60_000 }, spent, "agents worked 1m30s of 1m; time=2m"],
])("a budget: %s", (_name, budget, used, expected) => {
  const found = usedBudget(budget, used);
  expect(found === null ? null : `${found.what}; ${found.key}=${found.more}`).toBe(expected);
});

test("a duration is written as in the settings", () => {
  const hour = 3_600_000;
  expect([0, 999, 61_000, 24 * hour, 25 * hour + 1000].map(durationText)).toEqual([
    "0s",
    "0s",
    "1m1s",
    "1d",
    "1d1h1s",
  ]);
});
