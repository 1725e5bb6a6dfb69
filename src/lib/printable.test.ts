import { expect, test } from "vitest";
import { withCursorMoves, jsonLine, onOneLine, printableText } from "./printable.ts";

const hostile =
  "a\u001b[31mb\u001b]0;title\u0007c\u001b]8;;http://evil\u001b\\d\u0007\b\u009b2Je\u009d0;t\u009cf\u202eg\u2066h\u200f\u061ci\rj\u007fk\u2028l\u{e0041}m\ufeffn\u001bco\u0000p";

test("nothing of a text is obeyed by a terminal, and its letters stay (fault S6)", () => {
  expect(printableText(hostile)).toBe("abcdefghijklmnop");
  expect(printableText("one\r\n\ttwo — ✓ │ 你好 e\u0301 😀\u200d👍\n")).toBe(
    "one\n\ttwo — ✓ │ 你好 e\u0301 😀\u200d👍\n",
  );
  expect(printableText("before \u001b]0;no end\nafter \u001bP no end\nlast")).toBe("before \nafter \nlast");
  // A sequence that another's removal would make.
  expect(printableText("\u001b\u001b[31m[2J x")).not.toContain("\u001b");
});

test("a place that is drawn again keeps what clears it alone", () => {
  expect(withCursorMoves(`\r\u001b[2K${hostile}`)).toBe("\r\u001b[2Kabcdefghi\rjklmnop");
  expect(withCursorMoves("\u001b[3A\r\u001b[Jx\u001b[?1049hy\u001b[5;5Hz")).toBe("\u001b[3A\r\u001b[Jxyz");
});

test("JSON of a line parses to the same value, and holds nothing that a terminal obeys", () => {
  const line = jsonLine({ [hostile]: [hostile, 1, null, 'say "hi"\\'] });
  expect(JSON.parse(line)).toEqual({ [hostile]: [hostile, 1, null, 'say "hi"\\'] });
  expect(printableText(line).replaceAll("\u{e0041}", "")).toBe(line.replaceAll("\u{e0041}", ""));
});

test("a line break in a name is seen", () => {
  expect(onOneLine("a\r\nb\nc\u2028d\u0085e\tf")).toBe(String.raw`a\nb\nc\nd\ne\tf`);
});
