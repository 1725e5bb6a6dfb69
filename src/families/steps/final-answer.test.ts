import { expect, test } from "vitest";
import { outputsOf, isConfirmedBy } from "./final-answer.ts";

test("the plan shows an answer whose reason is the protocol's own word, and none that says another end", () => {
  const [careful, gone] = outputsOf({
    outputs: [
      { value: '{ success: true, merged: true, reason: "careful" }', description: "" },
      { value: '{ success: true, merged: false, reason: "rejected" }', description: "" },
      { value: "fine", description: "" },
    ],
  });
  const merged = { success: true, merged: true };
  expect(careful && isConfirmedBy(merged, careful)).toBe(true);
  expect(gone && isConfirmedBy(merged, gone)).toBe(false);
  const kept = { success: true, merged: false, reason: "alternative" };
  expect(gone && isConfirmedBy(kept, gone)).toBe(false);
  expect(gone && isConfirmedBy({ ...kept, reason: "rejected" }, gone)).toBe(true);
});
