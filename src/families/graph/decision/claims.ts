/** What an agent said of something that the runtime knows: journaled, shown as unverified, and never used (V3-42). */
import { unknownTests } from "../../../gates/named-test.ts";
import type { RunEvent } from "../../../log/run-event.ts";

export interface ClaimedAt {
  /** Of the dispatch. */
  readonly key: string;
  readonly tree: string;
}

export function claimed({ key, tree }: ClaimedAt, field: string, said: unknown): RunEvent {
  const words = typeof said === "string" ? said : Array.isArray(said) ? said.join(", ") : String(said);
  return { type: "claim.unverified", key, phrase: field, excerpt: `${field}: ${words}`, tree };
}

/** Tests that were said and not executed with that result. Whoever names them by their titles, or not all, says nothing wrong. */
export function claimedTests(
  at: ClaimedAt,
  field: string,
  { said, real }: { readonly said: readonly string[]; readonly real: readonly string[] },
): readonly RunEvent[] {
  const wrong = unknownTests(said, real).slice(0, mostNames);
  return wrong.length === 0 ? [] : [claimed(at, field, wrong)];
}

const mostNames = 20;
