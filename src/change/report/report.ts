/** The answer of `mettle gate` and `mettle prove` in the formats that CI systems read (docs/prove.md). */
import { answerVersion } from "../../lib/answer.ts";
import { assertNever } from "../../lib/assert-never.ts";
import { jsonLine } from "../../lib/printable.ts";
import { codeQualityReport } from "./code-quality.ts";
import { ctrfReport } from "./ctrf.ts";
import { inTotoStatement, testResultOf } from "./in-toto.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import type { Report } from "./outcomes.ts";
import { readable } from "./readable.ts";
import { sarifReport } from "./sarif.ts";

export const reportFormats = [
  "json",
  "junit",
  "ctrf",
  "sarif",
  "in-toto",
  "codequality",
  "markdown",
] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** @returns the whole file, without a final line break */
export function writeReport(format: ReportFormat, { answer, version }: Report): string {
  const report = { answer: readable(answer), version };
  switch (format) {
    case "json":
      return jsonLine({ version: answerVersion, ...answer });
    case "junit":
      return junitReport(report);
    case "ctrf":
      return pretty(ctrfReport(report));
    case "sarif":
      return pretty(sarifReport(report));
    case "in-toto":
      return pretty(inTotoStatement(testResultOf(report)));
    case "codequality":
      return pretty(codeQualityReport(report));
    case "markdown":
      return markdownReport(report);
    default:
      return assertNever(format);
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
