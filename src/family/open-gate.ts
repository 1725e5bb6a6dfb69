/** A gate of the plan that nobody has answered ends the turn of the agent that called it, which would only ask again and again (ENV-88). */
import { z } from "zod";
import type { Clock } from "../lib/clock.ts";

/** Name of a gate, and the file in which it is answered, as Envoy tells that nobody has answered. */
export const GateFile = z.object({ gate: z.string(), file: z.string() });

/** With what was called, so that it can be called again when a person has answered. */
export const OpenGate = GateFile.extend({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
});
export type OpenGate = Readonly<z.infer<typeof OpenGate>>;

export interface GateWatch {
  /** The first gate that was met. */
  readonly met: () => OpenGate | null;
  readonly meet: (gate: OpenGate) => void;
  /** Fires when the agent has had its time to end by itself. */
  readonly signal: AbortSignal;
  readonly close: () => void;
}

/** The outcome of its dispatch; no agent reports it. */
export const gateMet = "WAITING";

/** An agent that was told to stop has so long to say its last words. */
const graceMs = 5_000;

export function watchGate(clock: Clock): GateWatch {
  const late = new AbortController();
  const closed = new AbortController();
  let met: OpenGate | null = null;
  return {
    met: () => met,
    meet(gate) {
      if (met !== null) return;
      met = gate;
      void clock.sleep(graceMs, closed.signal).then(() => closed.signal.aborted || late.abort());
    },
    signal: late.signal,
    close: () => closed.abort(),
  };
}
