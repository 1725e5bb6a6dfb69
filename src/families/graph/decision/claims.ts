/** Claims of an agent about facts that the runtime knows: journaled, shown as unverified, never used (V3-42). */
import { unknownTests } from "../../../gates/named-test.ts";
import type { RunEvent } from "../../../log/run-event.ts";

export interface ClaimSource {
  /** Key of the dispatch. */
  readonly key: string;
  readonly tree: string;
}

export function unverifiedClaim({ key, tree }: ClaimSource, field: string, reported: unknown): RunEvent {
  const words =
    typeof reported === "string"
      ? reported
      : Array.isArray(reported)
        ? reported.join(", ")
        : String(reported);
  return { type: "claim.unverified", key, phrase: field, excerpt: `${field}: ${words}`, tree };
}

/** A claim about reported tests without that result. A title or an incomplete list is no false claim. */
export function unverifiedTests(
  at: ClaimSource,
  field: string,
  { reported, real }: { readonly reported: readonly string[]; readonly real: readonly string[] },
): readonly RunEvent[] {
  const wrong = unknownTests(reported, real).slice(0, maxNames);
  return wrong.length === 0 ? [] : [unverifiedClaim(at, field, wrong)];
}

const maxNames = 20;
