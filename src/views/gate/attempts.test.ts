import { expect, test } from "vitest";
import { attemptsText } from "./attempts.ts";

test("tries in a row with the same reason share a line", () => {
  expect(attemptsText(["a", "a", "b", "a", "a", "a"])).toEqual([
    "attempts 1 to 2: a",
    "attempt 3: b",
    "attempts 4 to 6: a",
  ]);
  expect(attemptsText(["a"])).toEqual(["attempt 1: a"]);
  expect(attemptsText([])).toEqual([]);
});
