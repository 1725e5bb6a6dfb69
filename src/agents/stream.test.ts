import { expect, test } from "vitest";
import { readLines, type OutputLine } from "./stream.ts";
import { textBuffer } from "./text-buffer.ts";

function lines(chunks: readonly Buffer[], maxBytes?: number): readonly OutputLine[] {
  const seen: OutputLine[] = [];
  const reader = readLines((line) => seen.push(line), maxBytes);
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

test("lines are whole wherever chunks end, even within a character", () => {
  const bytes = Buffer.from("größer\n→ zwei\nend");
  const cut = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  expect(lines(cut)).toEqual([
    { text: "größer", whole: true },
    { text: "→ zwei", whole: true },
    { text: "end", whole: true },
  ]);
});

test("a line over the limit comes in pieces that are not marked as whole", () => {
  const seen = lines([Buffer.from("x".repeat(25)), Buffer.from(`${"x".repeat(5)}\nshort\n`)], 20);
  expect(seen.map(({ whole }) => whole)).toEqual([false, false, true]);
  expect(seen.map(({ text }) => text).join("")).toBe(`${"x".repeat(30)}short`);
});

test("invalid UTF-8 is kept as far as possible", () => {
  expect(lines([Buffer.from([0x61, 0xff, 0x62, 0x0a])])).toEqual([{ text: "a\ufffdb", whole: true }]);
});

test("a buffer keeps head and tail of a text and counts its length", () => {
  const buffer = textBuffer(10);
  for (let part = 0; part < 1000; part++) buffer.add(`${String(part).padStart(4, "0")} `);
  expect(buffer.length).toBe(5000);
  expect(buffer.text).toBe("0000 0001 \n… 4980 characters left out …\n0998 0999 ");
  const small = textBuffer(10);
  small.add("all of it");
  expect(small.text).toBe("all of it");
});
