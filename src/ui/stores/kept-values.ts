/** Stored texts that a run's model is made of, read and parsed once: an address names one content. */
import type { Payloads } from "../../journal/payloads.ts";
import type { RunSource } from "../../overview/read-run.ts";

export interface KeptValues {
  of(payloads: Pick<Payloads, "text">): RunSource["stored"];
}

/** Values of larger texts are read again each time. */
const maxKeptChars = 2_000_000;

export function keptValues(): KeptValues {
  const values = new Map<string, unknown>();
  return {
    of:
      (payloads) =>
      async <Value>(address: string, parse: (text: string) => Value) => {
        // Each address is read as one type: a record, or a verdict.
        if (values.has(address)) return values.get(address) as Value;
        const text = await payloads.text(address);
        const value = parse(text);
        if (text.length <= maxKeptChars) values.set(address, value);
        return value;
      },
  };
}
