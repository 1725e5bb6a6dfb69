/** The part of an evidence record that an execution knows; `runtime/records.ts` numbers, chains and signs it. */
import type { EvidenceRecord } from "../../evidence/record.ts";

export interface RecordDraft extends Omit<EvidenceRecord, "id" | "run" | "key" | "phase" | "inner" | "previous"> {
  /** Indices of earlier drafts of the same list that this one contains. */
  readonly innerDrafts: readonly number[];
}
