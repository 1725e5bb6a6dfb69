/** What a gate may not claim: anything that the runs in it do not show. Pure. */
import { canonicalJson } from "../../lib/hash.ts";
import { judgedRuns } from "../judged-runs.ts";
import type { EvidenceRecord } from "../record.ts";
import { difference, type Claim, type ClaimRule } from "./claim.ts";
import { toleranceMs } from "./record-rules.ts";

export const gateRules: Readonly<Record<string, ClaimRule>> = {
  command,
  runs,
  tree,
  tests,
  required,
  runner,
  isolation,
  canary,
  span,
};

/** Gates whose judged runs are known. Other gates may judge none themselves. */
const runsOf: Readonly<Record<string, readonly string[]>> = {
  red: ["red"],
  green: ["green"],
  final: ["final"],
  merge: ["merge"],
  refactor: ["green", "final"],
  prove: ["green", "prove"],
};

/** A claim of an agent is checked by the gate `final`. */
const otherNames: Readonly<Record<string, string>> = { claim: "final" };

function command({ record, gate }: Claim): string | null {
  const { purpose, title, argv, commit } = record;
  if (gate === null)
    return runsOf[purpose] === undefined
      ? null
      : `it is called ${purpose}, but its command is ${argv.slice(0, 2).join(" ")}`;
  if (gate.name !== (otherNames[purpose] ?? purpose))
    return `it is called ${purpose}, but its command is that of ${gate.name}`;
  if (title !== argv.join(" ")) return `it is shown as "${title}", but its command is "${argv.join(" ")}"`;
  if (gate.head !== null && gate.head !== commit)
    return `its command judges ${gate.head}, but it names the commit ${commit}`;
  return null;
}

/** Without a run there is nothing to judge; a gate that claims no test, such as an equal scaffold's, needs none. */
function runs({ record, gate, inner }: Claim): string | null {
  if (gate === null || record.verdict !== "pass" || runsOf[gate.name] === undefined) return null;
  if (record.required.length + record.observed.length + record.tests.length === 0) return null;
  return judged(gate.name, inner).length > 0 ? null : "it passed without the record of a test run";
}

function tree({ record, gate, inner }: Claim): string | null {
  if (gate === null) return null;
  const other = judged(gate.name, inner).find(
    (run) => run.commit !== record.commit || run.tree !== record.tree,
  );
  return other === undefined
    ? null
    : `${other.id} tested commit ${other.commit} with tree ${other.tree}, not ${record.commit} with tree ${record.tree}`;
}

function tests({ record, gate, inner }: Claim): string | null {
  if (gate === null) return null;
  const ran = judged(gate.name, inner).flatMap((run) => run.tests);
  if (ran.length === 0 && record.tests.length === 0) return null;
  const found = difference(ids(record.tests), ids(ran));
  if (found?.only === "first") return `it claims a result of ${found.id}, which none of its runs has`;
  if (found?.only === "second") return `it leaves out ${found.id}, which its run executed`;
  const result = new Map(ran.map((test) => [test.id, canonicalJson(test)]));
  const changed = record.tests.find((test) => result.get(test.id) !== canonicalJson(test));
  return changed === undefined ? null : `its result of ${changed.id} is not that of its run`;
}

/** A required test passed in the judged run itself, or in the run that repeats it: a control does not count. */
function required({ record, gate, inner }: Claim): string | null {
  if (gate === null || record.verdict !== "pass" || !successes.has(gate.name)) return null;
  const again = inner.filter(({ purpose }) => purpose.endsWith(".confirm"));
  const results = [record, ...again].flatMap((one) => one.tests);
  for (const id of record.required) {
    const own = results.filter((test) => test.id === id);
    if (own.some(({ status }) => status === "passed")) continue;
    return `it passed although the required test ${id} ${own[0] === undefined ? "did not run" : `is ${own[0].status}`}`;
  }
  return null;
}

const successes: ReadonlySet<string> = new Set(["green", "final", "merge", "refactor", "prove"]);

function runner({ record, gate, inner }: Claim): string | null {
  if (gate === null) return null;
  const all = judged(gate.name, inner);
  const [only] = all;
  if (only === undefined || all.length > 1) return null;
  return canonicalJson(only.runner) === canonicalJson(record.runner)
    ? null
    : `it names the runner ${record.runner?.name}, its run ${only.runner?.name}`;
}

function isolation({ record, gate, inner }: Claim): string | null {
  if (gate === null) return null;
  const weaker = judged(gate.name, inner).find((run) => run.isolation !== record.isolation);
  return weaker === undefined
    ? null
    : `it claims the isolation ${record.isolation}, and ${weaker.id} ran with ${weaker.isolation}`;
}

/** A negative control that held must have a run in which the false assertions failed. */
function canary({ record, gate, inner }: Claim): string | null {
  if (gate === null || record.controls["canary"] !== canaryHeld) return null;
  const own = inner.filter(({ purpose }) => purpose.endsWith(".canary"));
  if (own.length === 0) return "it says that the canary failed as it must, and contains no run of it";
  const silent = own.find(({ verdict, tests: all }) => verdict === "pass" || !all.some(isFalseAssertion));
  return silent === undefined
    ? null
    : `it says that the canary failed as it must, and no false assertion failed in ${silent.id} (${silent.verdict})`;
}

/** What a record says of a canary that held. */
export const canaryHeld = "failed as it must";

function isFalseAssertion({ status, kind }: EvidenceRecord["tests"][number]): boolean {
  return status === "failed" && kind === "assertion";
}

function span({ record, gate, inner }: Claim): string | null {
  if (gate === null) return null;
  const [from, to] = [Date.parse(record.started) - toleranceMs, Date.parse(record.ended) + toleranceMs];
  // A run of the base may have been made for an earlier gate.
  const outside = inner.find(
    ({ purpose, started, ended }) =>
      !purpose.startsWith("baseline") && (Date.parse(started) < from || Date.parse(ended) > to),
  );
  return outside === undefined ? null : `${outside.id} ran at ${outside.started}, not while this gate did`;
}

/** The judged runs of the first kind that there is. */
function judged(name: string, inner: readonly EvidenceRecord[]): readonly EvidenceRecord[] {
  return (
    (runsOf[name] ?? [name]).map((kind) => judgedRuns(inner, kind)).find((found) => found.length > 0) ?? []
  );
}

function ids(all: EvidenceRecord["tests"]): readonly string[] {
  return all.map(({ id }) => id);
}
