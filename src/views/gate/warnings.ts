/** Warnings for every gate and the summary: warnings, retracted claims, disallowed writes. Pure. */
import { counted } from "../../lib/counted.ts";
import type { EventOf } from "../../log/run-event.ts";
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

/** `pypi.org:443 (3 requests)`. */
export function refusedText({ host, port, count }: EventOf<"network.refused">): string {
  return `${port === 0 ? host : `${host}:${port}`} (${counted(count, "request")})`;
}

/** What agents wanted to reach and could not, once for each destination. */
function networkWarnings({ refused }: RunView): readonly string[] {
  const names = new Set(refused.map(({ host, port }) => (port === 0 ? host : `${host}:${port}`)));
  if (names.size === 0) return [];
  return [`not reachable for agents, as agents.network does not name it: ${[...names].join(", ")}`];
}

/** Writes by agents outside their role's paths, hosts that they could not reach, and changes by others in the main checkout. */
export function outsideWarnings(view: RunView): readonly string[] {
  const { outside } = view;
  const agents = outside
    .filter(({ place }) => place !== "checkout")
    .map(({ paths }) => `written outside what the role may write, not used: ${paths.join(", ")}`);
  const others = new Set(outside.filter(({ place }) => place === "checkout").flatMap(({ paths }) => paths));
  return [
    ...new Set(agents),
    ...(others.size === 0
      ? []
      : [`changed in the main checkout, no part of the run: ${[...others].join(", ")}`]),
    ...networkWarnings(view),
  ];
}
