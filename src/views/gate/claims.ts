/** A retracted claim with the result of the runtime's own test run of the same tree (ORC-49). Pure. */
import type { RunView } from "../../log/run-view.ts";

type Claim = RunView["claims"][number];

export function claimText(view: RunView, { phrase, tree, shown }: Claim): string {
  if (shown !== undefined) return `UNVERIFIED claim retracted: ${phrase}; the plan shows: ${shown}`;
  return `UNVERIFIED claim retracted: "${phrase}"; ${verificationText(view, tree)}`;
}

/** A commit on a branch of the run that the run did not make and no gate has checked. */
export interface LaterCommit {
  readonly branch: string;
  readonly commit: string;
  readonly tree: string;
}

/** Whether a verification of exactly this tree passed. A run inside a failed gate proves nothing. */
export function isProven({ records }: Pick<RunView, "records">, tree: string): boolean {
  return records.some(
    (record) => record.tree === tree && verificationPurposes.has(record.purpose) && record.exitCode === 0,
  );
}

/** The newest summary record of a verification of exactly this tree. */
export function verificationOf({ records }: Pick<RunView, "records">, tree: string) {
  return (
    records.findLast((record) => record.tree === tree && verificationPurposes.has(record.purpose)) ?? null
  );
}

/** Phases that a later commit made unproven until their gates run again (CORE-44). */
export function unprovenPhases(view: RunView, later: LaterCommit | null): readonly string[] {
  const made = view.commits.at(-1);
  const isTests = later === null && made?.kind === "red";
  const subject = later ?? (made && !isProven(view, made.tree) ? made : null);
  if (subject === null) return [];
  const proofs = new Map(view.phases.map(({ phase, record }) => [phase, record]));
  return [...proofs].flatMap(([phase, id]) => {
    const record = view.records.find((other) => other.id === id);
    if (!record || record.commit === null || record.commit !== view.head.branch) return [];
    // Later source commits do not invalidate RED, which is about the tests.
    const isOther = later === null && !isTests && record.purpose === "red";
    return isOther || record.tree === subject.tree ? [] : [phase];
  });
}

/** Whether the same phase made a commit with another tree after the record. */
export function isOutdated({ commits, commands }: RunView, record: RunView["records"][number]): boolean {
  if (record.tree === null) return false;
  const made = commits.findLast(({ key }) => commands[key]?.command.phase === record.phase);
  return made !== undefined && made.seq > record.seq && made.tree !== record.tree;
}

function verificationText(view: RunView, tree: string): string {
  const record = verificationOf(view, tree);
  if (!record) return "nothing was executed for it yet";
  const { purpose, verdict, exitCode, failing } = record;
  // Tests that failed before as well do not count against a tree that passed.
  const tests =
    failing.length === 0 || verdict === "pass" ? "" : `, ${failing.length} failing: ${failing.join(", ")}`;
  return `the runtime's own run: ${purpose === "claim" ? "" : `${purpose} `}${verdict}, EXIT_CODE ${exitCode ?? "none"}${tests}`;
}

/** Purposes of the summary records of a verification. */
const verificationPurposes: ReadonlySet<string> = new Set([
  "red",
  "green",
  "final",
  "claim",
  "squash",
  "rebase",
]);
