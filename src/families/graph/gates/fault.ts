import type { RunEvent } from "../../../log/run-event.ts";
import type { GateProof } from "../../../proof/proof.ts";
import { environmentErrorFact } from "../../../run/environment-error.ts";

/** Reports a fault of the environment as an error. */
export function faultFacts({ fault }: Pick<GateProof, "fault">, key: string): readonly RunEvent[] {
  if (fault === null) return [];
  return [environmentErrorFact({ key, code: fault.code, message: fault.message, hint: fault.hint })];
}
