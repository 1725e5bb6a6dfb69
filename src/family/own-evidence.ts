/** Evidence that a family adds to `mettle verify`, besides the chain of the run's records. */
import type { EvidenceRecord } from "../evidence/record.ts";
import type { SignedRecord } from "../evidence/trusted-keys.ts";

export interface OwnEvidence {
  /** Null if all of it is valid. */
  readonly fault: { readonly why: string; readonly record: string | null } | null;
  /** How many records it has outside that chain. */
  readonly more?: number;
  /** Who signed those, where keys have names. */
  readonly signed?: readonly SignedRecord[];
  /** The records of each part of the run, where it has parts. */
  readonly nodes?: readonly NodeRecords[];
}

export interface NodeRecords {
  readonly node: string;
  readonly records: readonly Pick<EvidenceRecord, "id" | "purpose" | "verdict">[];
}
