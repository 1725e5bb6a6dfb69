import { expect, test } from "vitest";
import { reportFromText } from "./report.ts";

test.each([
  ["the last line decides", "I did it.\n→GC: implemented\n\n", { status: "GC", message: "implemented" }],
  ["an arrow in ASCII", "done\n -> GC: implemented ", { status: "GC", message: "implemented" }],
  ["a code with a hint and no message", "→NEEDS_WORK.tests", { status: "NEEDS_WORK.tests", message: "" }],
  [
    "a message with colons and arrows",
    "→BL: I don't know: which → hash?",
    { status: "BL", message: "I don't know: which → hash?" },
  ],
])("%s", (_name, text, expected) => {
  expect(reportFromText(text)).toEqual(expected);
});

test.each([
  ["a code above other words", "→GC: implemented\nand now something else"],
  ["a code inside a fence", "Example:\n```\n→GC: implemented\n```"],
  ["a code in the middle of a line", "end with →GC: message"],
  ["a quoted code", "> →GC: implemented"],
  ["nothing", ""],
])("%s is not a decision", (_name, text) => {
  expect(reportFromText(text)).toBeNull();
});

test("the last fenced JSON block is the payload", () => {
  const text = 'First:\n```json\n{"a": 1}\n```\nThen:\n```json\n{"a": 2}\n```\n→QUESTIONS: two';
  expect(reportFromText(text)).toEqual({ status: "QUESTIONS", message: "two", payload: { a: 2 } });
  expect(reportFromText("```json\n{broken\n```\n→QUESTIONS: none")).toEqual({
    status: "QUESTIONS",
    message: "none",
  });
});
