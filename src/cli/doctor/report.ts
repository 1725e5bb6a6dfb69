/** Prints the findings: a symbol, the name, the finding, and below it the command that fixes it. */
import { safeLine } from "../../lib/safe-text.ts";
import type { DoctorFinding } from "./check.ts";
import { wrapText } from "../../lib/wrap-text.ts";

export interface ReportOptions {
  /** Width of a terminal with colours; null for plain lines without wrapping. */
  readonly columns: number | null;
  /** What has all it needs, or does not; default: a run. */
  readonly needs?: string;
}

const symbols = { ok: "✓", warn: "!", fail: "✗" } as const;
const colours = { ok: 32, warn: 33, fail: 31 } as const;

export function reportText(
  findings: readonly DoctorFinding[],
  { columns, needs = "A run" }: ReportOptions,
): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const indent = width + 4;
  const room = columns === null ? Infinity : Math.max(20, columns - indent - 3);
  const paint = (code: number, text: string) => (columns === null ? text : `\u001B[${code}m${text}\u001B[0m`);
  const lines = findings.flatMap(({ name, state, seen, help }) => {
    const [first = "", ...more] = wrapText(safeLine(seen), room);
    const helping = help === null ? [] : wrapText(safeLine(help), room - 2);
    return [
      `${paint(colours[state], symbols[state])} ${name.padEnd(width)}  ${first}`,
      ...more.map((line) => `${" ".repeat(indent)}${line}`),
      ...helping.map((line, index) => `${" ".repeat(indent)}${index === 0 ? paint(36, "→") : " "} ${line}`),
    ];
  });
  return [...lines, "", summary(findings, needs)].join("\n");
}

function summary(findings: readonly DoctorFinding[], needs: string): string {
  const failed = findings.filter(({ state }) => state === "fail").length;
  const warned = findings.filter(({ state }) => state === "warn").length;
  const given = warned === 0 ? "" : ` What is marked ${symbols.warn} can wait.`;
  if (failed > 0) return `${needs} needs what is marked ${symbols.fail}.${given}`;
  return `${needs} has all it needs.${given}`;
}
