/** The contents that an answer is bound to: `spec 1a2b3c4d5e6f, architecture …`. Pure. */
import type { EventOf } from "../log/run-event.ts";

const shownChars = 12;

/** @param shown name -> hash of the shown parts; the part `ask` is the question itself and is left out */
export function boundContents(shown: EventOf<"ask.shown">["shown"]): string {
  const parts = Object.entries(shown).filter(([name, hash]) => name !== "ask" && hash !== "");
  return parts
    .map(([name, hash]) => `${name} ${hash.replace(/^sha256:/u, "").slice(0, shownChars)}`)
    .join(", ");
}

/** The contents that an approval is bound to; null for other answers. */
export function approvalLine(
  outcome: string,
  shown: EventOf<"ask.shown">["shown"] | undefined,
): string | null {
  return outcome === "approve" ? `approved: ${boundContents(shown ?? {})}` : null;
}
