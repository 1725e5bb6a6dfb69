import { expect, test } from "vitest";
import { nodeExits } from "../../../protocol/graph-types/nodes.ts";
import { readPayload } from "./read-payload.ts";

const { TestsPassed } = nodeExits.impl;
const { MoreTests } = nodeExits.tdd;
const passed = { commitHash: "abc", iterations: 1, passedTests: ["a"] };

test("a number written as text is converted, and a field that nobody knows is left out; both are told", () => {
  expect(readPayload(TestsPassed, { ...passed, iterations: "3", mood: "good" })).toEqual({
    type: "read",
    value: { ...passed, iterations: 3 },
    changes: ['read "3" at /iterations as 3', "left out /mood"],
  });
});

test("a field that is missing or has another type is refused with its JSON pointer", () => {
  const { passedTests: _, ...less } = passed;
  expect(readPayload(TestsPassed, less)).toMatchObject({ type: "refused", pointer: "/passedTests" });
  expect(readPayload(TestsPassed, { ...passed, passedTests: "a" })).toMatchObject({
    type: "refused",
    pointer: "/passedTests",
    why: expect.stringContaining("expected a list, got the text"),
  });
  expect(readPayload(TestsPassed, undefined)).toMatchObject({ type: "refused", pointer: "/commitHash" });
  expect(readPayload(TestsPassed, "nothing")).toMatchObject({ type: "refused", pointer: "" });
});

test("places inside lists are named, and converted too", () => {
  const critique = { file: "src/a.ts", line: "12", issue: "i", requiredFix: "f" };
  expect(readPayload(MoreTests, { critiques: [critique], additionalTests: [] })).toMatchObject({
    type: "read",
    value: { critiques: [{ ...critique, line: 12 }] },
    changes: ['read "12" at /critiques/0/line as 12'],
  });
  expect(
    readPayload(MoreTests, { critiques: [{ ...critique, line: "twelve" }], additionalTests: [] }),
  ).toMatchObject({ type: "refused", pointer: "/critiques/0/line" });
});
