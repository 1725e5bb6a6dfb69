import { expect, test } from "vitest";
import { commentedReason } from "./comments.ts";

test("comments follow the reason, each with its place and the line that it is about", () => {
  const comments = [
    { file: "spec.md", line: 3, quote: "FR1: letters", text: "Which letters?\nAll?" },
    { file: "src/a.ts", line: 12, quote: "", text: "Why?" },
  ];
  expect(commentedReason({ reason: " Say more \n", comments })).toBe(
    "Say more\n\nspec.md:3\n  > FR1: letters\n  Which letters?\n  All?\n\nsrc/a.ts:12\n  Why?",
  );
  expect(commentedReason({ reason: "", comments: [] })).toBe("");
});
