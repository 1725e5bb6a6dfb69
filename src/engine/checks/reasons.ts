import { withLabel } from "../../lib/with-label.ts";
import type { Verdict } from "../../gates/verdict.ts";

/** One line for each check that did not pass. */
export function reasonsOf({ checks }: Verdict): readonly string[] {
  return checks
    .filter((check) => check.verdict !== "pass")
    .map(({ name, reason, tests }) => {
      const ids = tests.filter((test) => !reason.includes(test));
      return `${withLabel(name, reason)}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
    });
}

/** One line for each finding. Findings do not affect the verdict. */
export function findingsOf({ findings }: Verdict): readonly string[] {
  return findings.map(({ code, message, path }) => `${withLabel(code, message)}${path ? ` (${path})` : ""}`);
}
