import { expect, test } from "vitest";
import { labelled } from "./labelled.ts";

test("a label is said once, and never before nothing (fault L4)", () => {
  expect(labelled("required", "1 failed")).toBe("required: 1 failed");
  expect(labelled("σ₆ protection", "σ₆ protection: nobody may write a.md")).toBe(
    "σ₆ protection: nobody may write a.md",
  );
  expect([labelled("EX", ""), labelled("EX", " \n"), labelled("EX", "EX")]).toEqual(["EX", "EX", "EX"]);
});
