import { withLabel } from "../lib/with-label.ts";
import type { Check, Finding, Verdict } from "./verdict.ts";

/** Builds checks and the verdict that follows from them: any fail fails, else any doubt is inconclusive. */
export function passed(name: string, tests: readonly string[] = []): Check {
  return { name, verdict: "pass", reason: "", tests };
}

export function failed(name: string, reason: string, tests: readonly string[] = []): Check {
  return { name, verdict: "fail", reason, tests };
}

export function unclear(name: string, reason: string): Check {
  return { name, verdict: "inconclusive", reason, tests: [] };
}

export interface Conclusion {
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Check name -> outcome of its failure. The first failed check with a hint decides. */
  readonly hints?: Readonly<Record<string, string>>;
  /** Signature of the failure, equal when it fails in the same way again. */
  readonly signature?: string;
}

export function conclude({ checks, findings, hints = {}, signature }: Conclusion): Verdict {
  const fails = checks.filter((check) => check.verdict === "fail");
  if (fails.length > 0) {
    const hint = fails.map((check) => hints[check.name]).find((outcome) => outcome !== undefined);
    return {
      verdict: "fail",
      outcome: hint ?? "fail",
      checks,
      findings,
      ...(signature === undefined ? {} : { signature }),
    };
  }
  const verdict = checks.some((check) => check.verdict === "inconclusive") ? "inconclusive" : "pass";
  return { verdict, outcome: verdict, checks, findings };
}

/** `a, b, c and 4 more`: keeps a reason short; the complete list is in `tests` or in the findings. */
export function shortList(names: readonly string[], max = 8): string {
  if (names.length <= max) return names.join(", ");
  return `${names.slice(0, max).join(", ")} and ${names.length - max} more`;
}

/** The verdict as people read it: one line per check, then the findings. */
export function verdictLines(verdict: Verdict): readonly string[] {
  return [
    ...verdict.checks.map((check) => `${check.verdict} ${withLabel(check.name, check.reason)}`),
    ...verdict.findings.map((finding) => `${finding.severity} ${withLabel(finding.code, finding.message)}`),
    `verdict: ${verdict.verdict}`,
  ];
}
