import fc from "fast-check";
import { expect, test } from "vitest";
import { inCi, verifies } from "../../test/verifies.ts";
import { cleanLine, clipLine, lastLines, stripControls } from "./text.ts";

verifies("CORE-49", "a line over 4 KiB is cut between characters and tells its true length", () => {
  expect(clipLine("x".repeat(4096))).toBe("x".repeat(4096));
  expect(clipLine("x".repeat(10_000))).toBe(`${"x".repeat(4096)}… [line of 10000 bytes]`);
  expect(clipLine("é".repeat(2049))).toBe(`${"é".repeat(2048)}… [line of 4098 bytes]`);
  expect(clipLine(`x${"🙂".repeat(1024)}`)).toBe(`x${"🙂".repeat(1023)}… [line of 4097 bytes]`);
  expect(clipLine("abc", 2)).toBe("ab… [line of 3 bytes]");
});

test("terminal control is stripped, text and its lines stay", () => {
  expect(
    stripControls(
      "\u001b[31mred\u001b[0m\r\n\ttab \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u0007\u009b2Kx\u202e!\u0000",
    ),
  ).toBe("red\n\ttab linkx!");
});

test("the last lines are the newest ones, whatever the text ends with", () => {
  expect(lastLines("a\nb\nc\n", 2)).toEqual(["b", "c"]);
  expect(lastLines("a\nb\nc", 2)).toEqual(["b", "c"]);
  expect(lastLines("a\nb", 10)).toEqual(["a", "b"]);
  expect(lastLines("\na", 10)).toEqual(["", "a"]);
  expect(lastLines("\n\n", 10)).toEqual(["", ""]);
  expect(lastLines("\n", 10)).toEqual([""]);
  expect(lastLines("", 10)).toEqual([]);
  expect(lastLines("a\nb", 0)).toEqual([]);
  expect(lastLines("10 %\r50 %\r100 %\r\n\u001b[32mdone\u001b[0m\r\n", 5)).toEqual(["100 %", "done"]);
  expect(lastLines(`${"x".repeat(5000)}\n`, 1)).toEqual(["x".repeat(5000)]);
});

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

inCi("no control character survives, whatever comes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      // eslint-disable-next-line no-control-regex
      expect(cleanLine(line)).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
    }),
    { numRuns: 50 },
  );
});
