/** What RED says of each new test. */
import type { RedProof } from "../src/proof/red-proof.ts";

/** Title -> why it is refused, of each new test; null for what is accepted. */
export function answers({ verdict, tests }: RedProof): Readonly<Record<string, string | null>> {
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

export function others({ verdict }: RedProof): readonly string[] {
  return verdict.checks
    .filter((check) => check.verdict !== "pass" && check.name !== "right_reason")
    .map(({ name, reason }) => `${name}: ${reason}`);
}
