import { expect, test } from "vitest";
import { withLabel } from "./with-label.ts";

test("a label is said once, and never before nothing (fault L4)", () => {
  expect(withLabel("required", "1 failed")).toBe("required: 1 failed");
  expect(withLabel("σ₆ protection", "σ₆ protection: nobody may write a.md")).toBe(
    "σ₆ protection: nobody may write a.md",
  );
  expect([withLabel("EX", ""), withLabel("EX", " \n"), withLabel("EX", "EX")]).toEqual(["EX", "EX", "EX"]);
});
