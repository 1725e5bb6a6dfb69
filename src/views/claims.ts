/** A retracted claim with what the runtime found when it ran the tests of that very tree (ORC-49). Pure. */
import type { RunView } from "./run-view.ts";

type Claim = RunView["claims"][number];

export function claimText(view: RunView, { phrase, tree }: Claim): string {
  return `UNVERIFIED claim retracted: "${phrase}"; ${foundText(view, tree)}`;
}

function foundText({ records }: RunView, tree: string): string {
  const record = records.findLast((other) => other.tree === tree && gates.has(other.purpose));
  if (!record) return "nothing was executed for it yet";
  const { purpose, verdict, exitCode, failing } = record;
  const tests = failing.length === 0 ? "" : `, ${failing.length} failing: ${failing.join(", ")}`;
  return `the runtime's own run: ${purpose === "claim" ? "" : `${purpose} `}${verdict}, EXIT_CODE ${exitCode ?? "none"}${tests}`;
}

/** Purposes of the records that sum up a verification. */
const gates: ReadonlySet<string> = new Set(["red", "green", "final", "claim"]);
