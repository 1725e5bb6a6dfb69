import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { examine } from "./examine.ts";
import { readContext } from "./context.ts";

test("a check that gives no answer is a finding, and does not hold the others up", async () => {
  const context = await readContext(tmpdir());
  const slow = { name: "slow", needed: true, examine: () => new Promise<never>(() => undefined) };
  const fast = { name: "fast", needed: true, examine: async () => [] };
  expect(await examine(context, [slow, fast], 50)).toEqual([
    { name: "slow", state: "fail", seen: "no answer within 0.05 s", help: "try again: mettle doctor" },
  ]);
});
