import type { Verdict } from "../../gates/verdict.ts";

/** One line for each check that did not pass and each finding, as a person and an agent read it. */
export function reasonsOf(verdict: Verdict): readonly string[] {
  const checks = verdict.checks
    .filter((check) => check.verdict !== "pass")
    .map(({ name, reason, tests }) => {
      const ids = tests.filter((test) => !reason.includes(test));
      return `${name}: ${reason}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
    });
  const findings = verdict.findings.map(
    ({ code, message, path }) => `${code}: ${message}${path ? ` (${path})` : ""}`,
  );
  return [...checks, ...findings];
}
