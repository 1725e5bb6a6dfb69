import { expect, test } from "vitest";
import { resetIn } from "./reset-time.ts";

const now = Date.parse("2026-11-30T14:00:00Z");
const local = (...parts: [number, number, number, number, number]) => new Date(...parts).getTime();

test.each([
  ["Claude AI usage limit reached|1796054400", { at: 1_796_054_400_000 }],
  ["You've hit your limit · resets 8pm (UTC)", { at: Date.parse("2026-11-30T20:00:00Z") }],
  ["You've hit your limit · resets 3am (UTC)", { at: Date.parse("2026-12-01T03:00:00Z") }],
  ["You've hit your weekly limit · resets Dec 4 at 9:30am (UTC)", { at: Date.parse("2026-12-04T09:30:00Z") }],
  ["You've hit your usage limit. Try again in 3 days 4 hours 5 minutes.", { inMs: 273_900_000 }],
  ["… try again at Dec 29th, 2026 10:15 PM.", { at: local(2026, 11, 29, 22, 15) }],
  ["Rate limit reached. Please try again in 1.5s. Visit https://example.com", { inMs: 1500 }],
  ["try again in 28ms", { inMs: 28 }],
  ["last status: 429 Too Many Requests, request id: 1796054400", null],
  ['[API Error: {"error":{"code":429,"details":[{"retryDelay":"34.07s"}]}}]', { inMs: 34_070 }],
  [
    "You have exhausted your capacity on this model. Your quota will reset after 12h34m56s.",
    { inMs: 45_296_000 },
  ],
  ["Please retry in 34.074824224s.", { inMs: 34_075 }],
  ["retry-after: 120", { inMs: 120_000 }],
  ['{"type":"usage_limit_reached","resets_at":1796054400,"resets_in_seconds":9}', { at: 1_796_054_400_000 }],
  ["resets at 2026-11-30T17:00:00+01:00", { at: Date.parse("2026-11-30T16:00:00Z") }],
  ["try again at 17:00 (UTC)", { at: Date.parse("2026-11-30T17:00:00Z") }],
  // Half a minute after the named minute it is over, and not tomorrow.
  ["try again at 13:59 (UTC)", null],
  ["resets 2020-01-01T00:00:00Z", null],
  ["come back at noon", null],
  ["try again in 3 apples", null],
  ["Too many requests: 5 of 3 at 4", null],
  ["", null],
])("a reset time is read from the words of a provider: %s", (words, expected) => {
  expect(resetIn(words, now)).toEqual(expected);
});
