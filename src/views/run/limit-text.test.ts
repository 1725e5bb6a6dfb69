import { expect, test } from "vitest";
import { countdownText, limitsOf, pausedText } from "./limit-text.ts";

const pause = (account: string, until: string) =>
  ({ type: "account.paused", account, until, why: "429", reachedBy: null }) as const;
const claude = pause("claude", "2026-11-30T17:04:05.000Z");
const codex = pause("codex", "2026-11-30T15:00:00.000Z");
const view = { paused: { claude, codex } };

test("a limit is told with its account, the time at which it ends and the provider's words", () => {
  expect(pausedText(claude)).toBe(
    "the usage limit of claude is reached, its agents go on by themselves at 2026-11-30 17:04:05 UTC: 429",
  );
  expect(limitsOf(view).map(({ account }) => account)).toEqual(["codex", "claude"]);
});

test("a status line counts the time down, and ends with the limit", () => {
  const at = (time: string) => countdownText(view, Date.parse(time));
  expect(at("2026-11-30T14:59:00.500Z")).toBe(
    "usage limit of codex: goes on in 1m 00s · usage limit of claude: goes on in 2h 05m",
  );
  expect(at("2026-11-30T17:04:00.000Z")).toBe("usage limit of claude: goes on in 5s");
  expect(at("2026-11-30T17:04:05.000Z")).toBeNull();
});
