import { expect } from "vitest";
import { parseExecutionBlock } from "../../../test/support/parse-block.ts";
import { verifies } from "../../../test/verifies.ts";
import { sampleRecord } from "../../evidence/fixtures/record.ts";
import { columnsOf } from "../../lib/columns.ts";
import { containsBlock, renderExecutionBlock } from "./execution-block.ts";
import { fitBlocks } from "./fit-blocks.ts";

const odd = [
  "x".repeat(300),
  "日本語のテスト".repeat(40),
  "✅ passes, 👩‍👩‍👧 e\u0301 too",
  `${"two words  ".repeat(30)}end`,
  "↪ no next row",
  `  ${"indented ".repeat(12)}`.trimEnd(),
  "│",
];

verifies("SEE-02", "a journaled text with blocks fits a terminal of any width, and says the same", () => {
  const inner = sampleRecord({ id: "r1/2", title: "node --test", lastLines: odd });
  const outer = sampleRecord({ id: "r1/3", title: "gate", inner: ["r1/2"], lastLines: odd });
  const block = renderExecutionBlock(outer, { inner: [inner] });
  const text = ["IMPLEMENTATION SUMMARY", block, "", renderExecutionBlock(inner), "--- WAITING ---"].join(
    "\n",
  );
  for (const columns of [40, 47, 80, 120, 200]) {
    const fitted = fitBlocks(text, columns);
    expect(fitted.startsWith("IMPLEMENTATION SUMMARY\n┌─")).toBe(true);
    expect(fitted.endsWith("┘\n--- WAITING ---")).toBe(true);
    const rows = fitted.split("\n").filter((line) => /^[┌│├└]/u.test(line));
    expect(new Set(rows.map(columnsOf))).toEqual(new Set([columns]));
    expect(rows.filter((row) => !/[┐│┤┘]$/u.test(row))).toEqual([]);
    expect(containsBlock(fitted, block)).toBe(true);
    expect(parseExecutionBlock(fitted)).toEqual(parseExecutionBlock(block));
    // As if the record had been drawn for this width.
    expect(fitted).toContain(renderExecutionBlock(inner, { columns }));
  }
});

verifies("SEE-02", "other boxes and half blocks stay as they are", () => {
  const half = renderExecutionBlock(sampleRecord({ lastLines: odd }))
    .split("\n")
    .slice(0, -1)
    .join("\n");
  const box = `┌${"─".repeat(78)}┐\n│ ${"a".repeat(77)}│\n└${"─".repeat(78)}┘`;
  for (const text of ["no block", half, box]) expect(fitBlocks(text, 40)).toBe(text);
});
