import { expect, test } from "vitest";
import { unexecutedLines } from "./executed-lines.ts";

const after =
  "export function a(n) {\n  if (n) {\n    return 1;\n  }\n  // nothing else\n  return 2;\n}\nfunction never() {\n  return 3;\n}\n";
const at = (text: string) => after.indexOf(text);
const all = { startOffset: 0, endOffset: after.length, count: 1 };
const block = { startOffset: at("{\n    return 1"), endOffset: at("}\n  //") + 1, count: 0 };
const never = { startOffset: at("function never"), endOffset: after.length - 1, count: 0 };

test("changed lines with code that no process ran are reported, comments and brackets are not", () => {
  expect(unexecutedLines({ before: null, after, runs: [[all, block, never]] })).toEqual([3, 8, 9]);
  expect(
    unexecutedLines({
      before: null,
      after,
      runs: [
        [all, block, never],
        [all, never],
      ],
    }),
  ).toEqual([8, 9]);
  expect(unexecutedLines({ before: null, after, runs: [] })).toEqual([1, 2, 3, 6, 8, 9]);
});

test("lines that existed before are unchanged, wherever they moved", () => {
  const before = "function never() {\n  return 3;\n}\n";
  expect(unexecutedLines({ before, after, runs: [[all, block, never]] })).toEqual([3]);
});
