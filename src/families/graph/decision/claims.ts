/** What an agent said of something that the runtime knows: journaled, shown as unverified, and never used (V3-42). */
import { unknownTests } from "../../../gates/named-test.ts";
import type { RunEvent } from "../../../log/run-event.ts";

export interface ClaimSource {
  /** Of the dispatch. */
  readonly key: string;
  readonly tree: string;
}

export function unverifiedClaim({ key, tree }: ClaimSource, field: string, said: unknown): RunEvent {
  const words = typeof said === "string" ? said : Array.isArray(said) ? said.join(", ") : String(said);
  return { type: "claim.unverified", key, phrase: field, excerpt: `${field}: ${words}`, tree };
}

/** Tests that were said and not executed with that result. Whoever names them by their titles, or not all, says nothing wrong. */
export function unverifiedTests(
  at: ClaimSource,
  field: string,
  { said, real }: { readonly said: readonly string[]; readonly real: readonly string[] },
): readonly RunEvent[] {
  const wrong = unknownTests(said, real).slice(0, maxNames);
  return wrong.length === 0 ? [] : [unverifiedClaim(at, field, wrong)];
}

const maxNames = 20;
