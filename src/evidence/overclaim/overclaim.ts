/**
 * Finds the first record of a verified chain that claims more than its contents show (PRV-24). A valid signature says who
 * wrote a record, not that it is true: one function per rule, in the order of their evaluation. Pure.
 */
import { gateCommand } from "../gate-command.ts";
import type { EvidenceRecord } from "../record.ts";
import type { ClaimRule } from "./claim.ts";
import { gateRules } from "./gate-rules.ts";
import { greenRules } from "./green-rules.ts";
import { proveRules } from "./prove-rules.ts";
import { recordRules } from "./record-rules.ts";
import { runRules } from "./run-rules.ts";

export interface Overclaim {
  readonly record: EvidenceRecord;
  /** Name of the rule. */
  readonly code: string;
  readonly why: string;
}

const rules: Readonly<Record<string, ClaimRule>> = {
  ...recordRules,
  ...runRules,
  ...gateRules,
  ...greenRules,
  ...proveRules,
};

export function overclaimOf(records: readonly EvidenceRecord[]): Overclaim | null {
  const known = new Map(records.map((record) => [record.id, record]));
  for (const [index, record] of records.entries()) {
    const inner = record.inner.flatMap((id) => known.get(id) ?? []);
    const claim = { record, inner, before: records.slice(0, index), gate: gateCommand(record) };
    for (const [code, rule] of Object.entries(rules)) {
      const why = rule(claim);
      if (why !== null) return { record, code, why };
    }
  }
  return null;
}
