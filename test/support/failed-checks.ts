import type { Verdict } from "../../src/gates/verdict.ts";

/** The checks that did not pass, as `verdict name: reason`. */
export function failedChecks({ checks }: Pick<Verdict, "checks">): readonly string[] {
  return checks
    .filter(({ verdict }) => verdict !== "pass")
    .map(({ name, verdict, reason }) => `${verdict} ${name}: ${reason}`);
}
