import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanLine, lastLines } from "./clean-text.ts";

test.each([
  ["colours", "\u001b[31mred\u001b[0m \u001b[38;5;12mblue\u001b[m", "red blue"],
  ["cursor movement", "\u001b[2K\u001b[1Aok\u001b[?25l", "ok"],
  [
    "a window title and a link",
    "\u001b]0;title\u0007text \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\",
    "text link",
  ],
  ["a progress bar", "10 %\r50 %\r100 %\r", "100 %"],
  ["bells, backspaces and NUL", "a\u0007b\u0008c\u0000d", "abcd"],
  ["marks that turn the text round", "a\u202eb\u2066c", "abc"],
  ["an unfinished sequence", "end \u001b[", "end "],
])("%s leave only their text", (_name, line, expected) => {
  expect(cleanLine(line)).toBe(expected);
});

test("tabs, umlauts, signs and box characters stay", () => {
  expect(cleanLine("\t✔ größer │ 日本")).toBe("\t✔ größer │ 日本");
});

test("no control character survives, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      // eslint-disable-next-line no-control-regex
      expect(cleanLine(line)).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 50 },
  );
});

test("the last lines are those before the final line break", () => {
  expect(lastLines("a\nb\r\n\nc\n", 3)).toEqual(["b", "", "c"]);
  expect(lastLines("a\nb", 10)).toEqual(["a", "b"]);
  expect(lastLines("", 10)).toEqual([]);
});
