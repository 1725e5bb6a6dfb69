/** What an answer is bound to, in words: `spec 1a2b3c4d5e6f, architecture …`. Pure. */
import type { EventOf } from "../log/run-event.ts";

const shownChars = 12;

/** @param shown the parts of what was shown, by name; what is asked itself is no part that a person looks at */
export function boundTo(shown: EventOf<"ask.shown">["shown"]): string {
  const parts = Object.entries(shown).filter(([name, hash]) => name !== "ask" && hash !== "");
  return parts
    .map(([name, hash]) => `${name} ${hash.replace(/^sha256:/u, "").slice(0, shownChars)}`)
    .join(", ");
}

/** Which contents an approval is bound to; null for every other answer. */
export function approvalLine(
  outcome: string,
  shown: EventOf<"ask.shown">["shown"] | undefined,
): string | null {
  return outcome === "approve" ? `approved: ${boundTo(shown ?? {})}` : null;
}
