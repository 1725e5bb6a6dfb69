/** One record of a chain with what its claims are compared to. */
import type { GateCommand } from "../gate-command.ts";
import type { EvidenceRecord } from "../record.ts";

export interface Claim {
  readonly record: EvidenceRecord;
  /** The records before it, in the order of the chain. */
  readonly before: readonly EvidenceRecord[];
  /** The records that it contains. */
  readonly inner: readonly EvidenceRecord[];
  /** Null for an executed program. */
  readonly gate: GateCommand | null;
}

/** Why the record claims more than it contains, or null. */
export type ClaimRule = (claim: Claim) => string | null;

/** The first difference of two lists of ids: one that only the first has, else one that only the second has. */
export function difference(
  one: readonly string[],
  other: readonly string[],
): { readonly id: string; readonly only: "first" | "second" } | null {
  const [left, right] = [new Set(one), new Set(other)];
  const first = one.find((id) => !right.has(id));
  if (first !== undefined) return { id: first, only: "first" };
  const second = other.find((id) => !left.has(id));
  return second === undefined ? null : { id: second, only: "second" };
}
