/** Ends an agent's turn at an unanswered gate of the plan, since the agent would only call it again (ENV-88). */
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";

/** The gate and its answer file, as Envoy reports an unanswered gate. */
export const GateFile = z.object({ gate: z.string(), file: z.string() });

/** Includes the call, which is repeated when a person has answered. */
export const OpenGate = GateFile.extend({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
});
export type OpenGate = Readonly<z.infer<typeof OpenGate>>;

export interface GateWatch {
  /** The first gate that was met. */
  readonly met: () => OpenGate | null;
  readonly meet: (gate: OpenGate) => void;
  /** Aborts when the grace period is over. */
  readonly signal: AbortSignal;
  readonly close: () => void;
}

/** The outcome of its dispatch; no agent reports it. */
export const gateMet = "WAITING";

/** Time for the agent to finish its turn. */
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
