/** Stored texts that a run's model is made of, read once: an address names one content. */
import type { Payloads } from "../../journal/payloads.ts";

export interface KeptTexts {
  of(payloads: Pick<Payloads, "text">): Pick<Payloads, "text">;
}

/** Larger ones are read again each time. */
const maxKeptChars = 2_000_000;

export function keptTexts(): KeptTexts {
  const texts = new Map<string, string>();
  return {
    of: (payloads) => ({
      async text(address) {
        const known = texts.get(address);
        if (known !== undefined) return known;
        const text = await payloads.text(address);
        if (text.length <= maxKeptChars) texts.set(address, text);
        return text;
      },
    }),
  };
}
