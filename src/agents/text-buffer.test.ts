import { expect, test } from "vitest";
import { textBuffer } from "./text-buffer.ts";

test("a text of any length keeps its head and its tail, and says how much it left out", () => {
  const buffer = textBuffer(10);
  for (const text of ["0123456", "789abc", "def", "ghijklmnopqrstuvwxyz"]) buffer.add(text);
  expect([buffer.text, buffer.length]).toEqual(["0123456789\n… 16 characters left out …\nqrstuvwxyz", 36]);
});

test("a million short lines are kept in a moment", () => {
  const buffer = textBuffer(100_000);
  const started = process.cpuUsage();
  for (let line = 0; line < 1_000_000; line++) buffer.add("a short line\n");
  expect(buffer.text.length).toBeLessThan(200_100);
  // Copying the tail for each line would take minutes.
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
});
