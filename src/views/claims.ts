/** A retracted claim with what the runtime found when it ran the tests of that very tree (ORC-49). Pure. */
import type { RunView } from "./run-view.ts";

type Claim = RunView["claims"][number];

export function claimText(view: RunView, { phrase, tree }: Claim): string {
  return `UNVERIFIED claim retracted: "${phrase}"; ${foundText(view, tree)}`;
}

/** Whether a verification of this very tree passed. A run inside a gate that was refused proves nothing. */
export function isProven({ records }: Pick<RunView, "records">, tree: string): boolean {
  return records.some((record) => record.tree === tree && gates.has(record.purpose) && record.exitCode === 0);
}

/** The newest record that sums up a verification of this very tree. */
export function verificationOf({ records }: Pick<RunView, "records">, tree: string) {
  return records.findLast((record) => record.tree === tree && gates.has(record.purpose)) ?? null;
}

function foundText(view: RunView, tree: string): string {
  const record = verificationOf(view, tree);
  if (!record) return "nothing was executed for it yet";
  const { purpose, verdict, exitCode, failing } = record;
  const tests = failing.length === 0 ? "" : `, ${failing.length} failing: ${failing.join(", ")}`;
  return `the runtime's own run: ${purpose === "claim" ? "" : `${purpose} `}${verdict}, EXIT_CODE ${exitCode ?? "none"}${tests}`;
}

/** Purposes of the records that sum up a verification. */
const gates: ReadonlySet<string> = new Set(["red", "green", "final", "claim"]);
