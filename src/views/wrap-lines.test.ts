import { expect, test } from "vitest";
import { columnsOf } from "../lib/columns.ts";
import { wrapLines } from "./wrap-lines.ts";

test("a long line goes on below its begin, and no word of it is lost", () => {
  const line = `  FR1: ${"日本 letters become lower case ".repeat(8)}[test/slugify.test.js::FR1]`;
  for (const columns of [40, 80, 120]) {
    const wrapped = wrapLines(line, columns).split("\n");
    expect(wrapped.filter((one) => columnsOf(one) > columns)).toEqual([]);
    expect(wrapped.slice(1).every((one) => /^ {4}\S/u.test(one))).toBe(true);
    expect(wrapped.map((one) => one.trim()).join(" ")).toBe(line.trim());
  }
});

test("commands, state lines and frames stay whole", () => {
  const text = [
    `     mettle resume abc --reset ${"0".repeat(60)}`,
    `[Orc.Phase1_INTAKE] ${"[Gemini: 0/3] ".repeat(9)}`,
    `│ ${"x ".repeat(60)}│`,
  ].join("\n");
  expect(wrapLines(text, 60)).toBe(text);
});
