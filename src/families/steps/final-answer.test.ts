import { expect, test } from "vitest";
import { outputsOf, shows } from "./final-answer.ts";

test("the plan shows an answer whose reason is the protocol's own word, and none that says another end", () => {
  const [careful, gone] = outputsOf({
    outputs: [
      { value: '{ success: true, merged: true, reason: "careful" }', description: "" },
      { value: '{ success: true, merged: false, reason: "rejected" }', description: "" },
      { value: "fine", description: "" },
    ],
  });
  const merged = { success: true, merged: true };
  expect(careful && shows(merged, careful)).toBe(true);
  expect(gone && shows(merged, gone)).toBe(false);
  const kept = { success: true, merged: false, reason: "alternative" };
  expect(gone && shows(kept, gone)).toBe(false);
  expect(gone && shows({ ...kept, reason: "rejected" }, gone)).toBe(true);
});
