/** Warnings for every gate and the summary: warnings, retracted claims, disallowed writes. Pure. */
import { claimText } from "./claims.ts";
import type { RunView } from "../../log/run-view.ts";

export function warningsOf(view: RunView): readonly string[] {
  const claims = view.claims.map((claim) => claimText(view, claim));
  const forged = view.forged.map(
    ({ command }) => `forged_block: a typed EXECUTION_BLOCK for \`${command}\` was not believed`,
  );
  const messages = view.warnings.map(({ message }) => message);
  return [...new Set([...messages, ...weakenedTests(view), ...claims, ...outsideWarnings(view), ...forged])];
}

/** Old tests weakened by accepted commits, as found by their gates. */
function weakenedTests({ judged }: RunView): readonly string[] {
  const accepted = judged.filter(({ verdict }) => verdict === "pass").flatMap(({ findings }) => findings);
  return accepted.filter((finding) => /^(?:weakened_test|old_text): /u.test(finding));
}

/** Writes by agents outside their role's paths, and changes by others in the main checkout. */
export function outsideWarnings({ outside }: RunView): readonly string[] {
  const agents = outside
    .filter(({ place }) => place !== "checkout")
    .map(({ paths }) => `written outside what the role may write, not used: ${paths.join(", ")}`);
  const others = new Set(outside.filter(({ place }) => place === "checkout").flatMap(({ paths }) => paths));
  return [
    ...new Set(agents),
    ...(others.size === 0
      ? []
      : [`changed in the main checkout, no part of the run: ${[...others].join(", ")}`]),
  ];
}
