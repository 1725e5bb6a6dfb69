/** The verdict of RED for each new test. */
import type { RedProof } from "../src/proof/red-proof.ts";

/** Title of each new test -> why RED refuses it; null if accepted. */
export function refusalReasons({ verdict, tests }: RedProof): Readonly<Record<string, string | null>> {
  const reasons = verdict.checks
    .filter(({ verdict: answer }) => answer !== "pass")
    .flatMap(({ reason }) => reason.split("; "));
  return Object.fromEntries(
    tests.map(({ id }) => {
      const found = reasons.find((reason) => reason.startsWith(`${id}: `));
      return [id.split("::").at(-1) ?? id, found === undefined ? null : found.slice(id.length + 2)];
    }),
  );
}

export function otherFailures({ verdict }: RedProof): readonly string[] {
  return verdict.checks
    .filter((check) => check.verdict !== "pass" && check.name !== "right_reason")
    .map(({ name, reason }) => `${name}: ${reason}`);
}
