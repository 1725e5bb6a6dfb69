/** What an agent said of something that the runtime knows: journaled, shown as unverified, and never used (V3-42). */
import type { RunEvent } from "../../kernel/run-event.ts";

export interface ClaimedAt {
  /** Of the dispatch. */
  readonly key: string;
  readonly tree: string;
}

export function claimed({ key, tree }: ClaimedAt, field: string, said: unknown): RunEvent {
  const words = typeof said === "string" ? said : Array.isArray(said) ? said.join(", ") : String(said);
  return { type: "claim.unverified", key, phrase: field, excerpt: `${field}: ${words}`, tree };
}

/** Lists as sets: their order says nothing. */
export function saysTheSame(said: unknown, real: unknown): boolean {
  if (!Array.isArray(said) || !Array.isArray(real)) return said === real;
  return said.length === real.length && said.every((one) => real.includes(one));
}
