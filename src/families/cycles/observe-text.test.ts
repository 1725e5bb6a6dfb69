import { expect, test } from "vitest";
import { wordsOf } from "./observe-text.ts";

test.each([
  ["I think so.\n\nBecause it is small.\n→PA: good", "I think so.\n\nBecause it is small."],
  ['Two cycles.\n```json\n{"cycles": []}\n```\n→PC: planned\n', "Two cycles."],
  ["Try this:\n```js\nadd(1, 2);\n```\n→NR: no", "Try this:\n```js\nadd(1, 2);\n```"],
  ["→PA: good", ""],
  ["I never decide", "I never decide"],
])("the words of an answer are all but its decision", (answer, words) => {
  expect(wordsOf(answer)).toBe(words);
});

test("a very long answer is cut", () => {
  expect(wordsOf("x".repeat(300_000)).length).toBeLessThan(201_000);
});
