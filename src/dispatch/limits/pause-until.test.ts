import { expect, test } from "vitest";
import { pauseAfter, type Pause } from "./pause-until.ts";

const minute = 60_000;
const now = Date.parse("2026-11-30T14:00:00Z");
const limit = { account: "claude", why: "429", startedMs: now - minute, nowMs: now };

test("a pause ends at the provider's time, whether a field or its words tell it", () => {
  expect(pauseAfter({ ...limit, resets: { at: now + 5000 } }, null)).toEqual({
    account: "claude",
    since: now,
    until: now + 5000,
    why: "429",
    times: 1,
  });
  expect(pauseAfter({ ...limit, resets: { inMs: 50 } }, null).until).toBe(now + 50);
  expect(pauseAfter({ ...limit, why: "try again in 2 hours" }, null).until).toBe(now + 120 * minute);
});

test("without a time the next try is after 1 minute, then twice as long each time, at most 30 minutes", () => {
  let before: Pause | null = null;
  let at = now;
  const waits: number[] = [];
  for (let nth = 0; nth < 7; nth++) {
    const next: Pause = pauseAfter({ ...limit, startedMs: at, nowMs: at + 1000 }, before);
    waits.push((next.until - next.since) / minute);
    [before, at] = [next, next.until];
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
  const later = (before?.until ?? 0) + 11 * minute;
  expect(pauseAfter({ ...limit, startedMs: later, nowMs: later }, before).times).toBe(1);
});

test("agents that worked at the same time reach one limit, which counts once and ends at its latest time", () => {
  const first = pauseAfter({ ...limit, resets: { inMs: minute } }, null);
  const beside = { ...limit, nowMs: now + 10 };
  expect(pauseAfter(beside, first)).toEqual({ ...first, until: now + 10 + minute });
  expect(pauseAfter({ ...beside, resets: { inMs: 5 } }, first)).toEqual(first);
});

test("a provider whose time was too early twice is not asked again at once", () => {
  const before: Pause = { account: "claude", since: now - 100, until: now - 50, why: "", times: 1 };
  const soon = { ...limit, startedMs: now - 50, resets: { inMs: 50 } };
  expect(pauseAfter(soon, before).until).toBe(now + 50);
  expect(pauseAfter(soon, { ...before, times: 2 }).until).toBe(now + minute);
});

test("a time in the past is no time, and one too far away is bounded, and said", () => {
  expect(pauseAfter({ ...limit, resets: { at: now - 1 } }, null).until).toBe(now + minute);
  const far = pauseAfter({ ...limit, resets: { at: Date.parse("2099-01-01T00:00:00Z") } }, null);
  expect(far.until).toBe(now + 8 * 24 * 60 * minute);
  expect(far.why).toBe(
    "429 (it ends at 2099-01-01T00:00:00.000Z, which is too far away to be true: the next try is in 8d)",
  );
  expect(pauseAfter({ ...limit, resets: { inMs: 1e300 } }, null).until).toBe(now + 8 * 24 * 60 * minute);
});
