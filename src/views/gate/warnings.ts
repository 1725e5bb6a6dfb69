/** What a person must hear at every gate and in the summary: warnings, retracted claims, writes in the wrong place. Pure. */
import { claimText } from "./claims.ts";
import type { RunView } from "../../log/run-view.ts";

export function warningsOf(view: RunView): readonly string[] {
  const claims = view.claims.map((claim) => claimText(view, claim));
  const forged = view.forged.map(
    ({ command }) => `forged_block: a typed EXECUTION_BLOCK for \`${command}\` was not believed`,
  );
  const told = view.warnings.map(({ message }) => message);
  return [...new Set([...told, ...weakened(view), ...claims, ...outsideWarnings(view), ...forged])];
}

/** What accepted commits made of old tests, as their gates found it. */
function weakened({ judged }: RunView): readonly string[] {
  const accepted = judged.filter(({ verdict }) => verdict === "pass").flatMap(({ findings }) => findings);
  return accepted.filter((finding) => /^(?:weakened_test|old_text): /u.test(finding));
}

/** Agents' writes where their role may not write, and what somebody else changed in the main checkout. */
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
