/** What GREEN may not claim against the RED that its command names. Pure. */
import { judgedRuns } from "../judged-runs.ts";
import type { EvidenceRecord } from "../record.ts";
import type { Claim, ClaimRule } from "./claim.ts";
import { toleranceMs } from "./record-rules.ts";

export const greenRules: Readonly<Record<string, ClaimRule>> = { later, kept, fewer, same_runner };

function later({ record, before, gate }: Claim): string | null {
  const red = redOf({ record, before, gate });
  if (red === null || Date.parse(record.started) >= Date.parse(red.record.ended) - toleranceMs) return null;
  return `it started at ${record.started}, before RED (${red.record.id}) ended at ${red.record.ended}`;
}

function kept({ record, before, gate }: Claim): string | null {
  const dropped = redOf({ record, before, gate })?.record.required.find(
    (id) => !record.required.includes(id),
  );
  return dropped === undefined ? null : `it does not require ${dropped}, which RED required`;
}

/** The tests are frozen, so what passed in RED still runs. */
function fewer({ record, before, inner, gate }: Claim): string | null {
  const red = redOf({ record, before, gate });
  if (red === null) return null;
  const again = inner.filter(({ purpose }) => purpose === "green.confirm");
  const ran = new Set([record, ...again].flatMap(({ tests }) => tests.map(({ id }) => id)));
  const missing = red.record.tests.find(({ id, status }) => status === "passed" && !ran.has(id));
  return missing === undefined
    ? null
    : `it did not run ${missing.id}, which passed in RED (${red.record.id})`;
}

/** A required test fails and passes with the same runner. */
function same_runner({ record, before, inner, gate }: Claim): string | null {
  const red = redOf({ record, before, gate });
  if (red === null) return null;
  for (const id of record.required) {
    const [was, is] = [runnerOf(judgedRuns(red.inner, "red"), id), runnerOf(judgedRuns(inner, "green"), id)];
    if (was !== null && is !== null && was !== is)
      return `it ran the required test ${id} with ${is}, RED with ${was}`;
  }
  return null;
}

function runnerOf(runs: readonly EvidenceRecord[], id: string): string | null {
  return runs.find(({ observed }) => observed.includes(id))?.runner?.name ?? null;
}

interface PassedRed {
  readonly record: EvidenceRecord;
  readonly inner: readonly EvidenceRecord[];
}

/** Null for other gates, and for a GREEN whose tests no RED of this chain froze. */
function redOf({ record, before, gate }: Pick<Claim, "record" | "before" | "gate">): PassedRed | null {
  if (gate?.name !== "green" || record.verdict !== "pass" || gate.red === null) return null;
  const red = before.findLast(
    ({ purpose, verdict, commit }) => purpose === "red" && verdict === "pass" && commit === gate.red,
  );
  return red === undefined ? null : { record: red, inner: before.filter(({ id }) => red.inner.includes(id)) };
}
