import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { examine } from "./examine.ts";
import { readPlace } from "./place.ts";

test("a check that gives no answer is a finding, and does not hold the others up", async () => {
  const place = await readPlace(tmpdir());
  const slow = { name: "slow", needed: true, look: () => new Promise<never>(() => undefined) };
  const fast = { name: "fast", needed: true, look: async () => [] };
  expect(await examine(place, [slow, fast], 50)).toEqual([
    { name: "slow", state: "fail", seen: "no answer within 0.05 s", help: "try again: mettle doctor" },
  ]);
});
