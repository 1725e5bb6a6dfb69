import { expect, test } from "vitest";
import { hasWord, wordsAt } from "./find-word.ts";

test("finds a text where it stands by itself, whatever it holds", () => {
  expect(wordsAt("add addAll, add. éadd add😀", "add")).toEqual([0, 12, 22]);
  expect(wordsAt("a.*b axxb a.*b", "a.*b")).toEqual([0, 10]);
  expect(hasWord("𝒳add", "add")).toBe(false);
  expect(["(", "[z-a]", "$&", ""].map((word) => hasWord(`x ${word} y`, word))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
