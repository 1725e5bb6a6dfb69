import { expect, test } from "vitest";
import { splitLines, type LineResult } from "./split-lines.ts";

/** Splits a text that arrives in chunks of `size` bytes. */
function splitInChunks(text: string, size: number, bound = 8): readonly LineResult[] {
  const lines = splitLines(bound);
  const bytes = Buffer.from(text);
  const found: LineResult[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
  return [...found, ...lines.end()];
}

const line = (text: string): LineResult => ({ type: "line", text });
const tooLong: LineResult = { type: "too_long" };

test.each([
  ["lines and a last one without its break", "one\ntwo\nthree", [line("one"), line("two"), line("three")]],
  ["empty lines", "\n\na\n", [line(""), line(""), line("a")]],
  ["a line of exactly the bound", "12345678\nb\n", [line("12345678"), line("b")]],
  ["a line over the bound, once, and what follows", "123456789…\nb\n", [tooLong, line("b")]],
  ["a last line over the bound", "a\n1234567890", [line("a"), tooLong]],
  ["two in a row over the bound", "1234567890\n1234567890\nc", [tooLong, tooLong, line("c")]],
  ["letters of several bytes", "äöü\n😀\n", [line("äöü"), line("😀")]],
  ["nothing", "", []],
])("%s, whatever the chunks are", (_name, text, expected) => {
  for (const size of [1, 2, 3, 5, 100]) expect([size, splitInChunks(text, size)]).toEqual([size, expected]);
});
