import { expect, test } from "vitest";
import { verifies } from "../../test/verifies.ts";
import { clipLine, decodeText, lastLines, stripControls } from "./text.ts";

verifies("CORE-49", "invalid UTF-8, NUL and half characters are kept tolerantly", () => {
  const bytes = Buffer.concat([
    Buffer.from("é🙂").subarray(1),
    Buffer.from([0, 0xff, 0xfe]),
    Buffer.from("\ufeffok 🙂").subarray(0, -1),
  ]);
  expect(decodeText(bytes)).toBe("\ufffd🙂␀\ufffd\ufffd\ufeffok \ufffd");
  const random = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 7919 + (index >> 3)) & 0xff);
  const text = decodeText(random);
  expect(JSON.parse(JSON.stringify(text))).toBe(text);
  expect(Buffer.from(text).toString()).toBe(text);
});

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
  expect(lastLines(`${"x".repeat(5000)}\n`, 1)).toEqual([`${"x".repeat(4096)}… [line of 5000 bytes]`]);
});
