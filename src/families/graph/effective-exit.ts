/** The exit by which a node ended: a retry that may not be had any more is Stuck, with the attempts of the kernel (V3-17). */
import type { Trip } from "../../kernel/state.ts";
import { RequestRetry } from "../../protocol/graph-types/impl.ts";

export interface Exit {
  readonly word: string;
  readonly fields: object;
}

export function effectiveExit({ word, fields }: Exit, trip: Trip | null | undefined): Exit {
  if (word !== "RequestRetry" || trip?.counter !== "attempt") return { word, fields };
  const { diagnosis, strategyTo } = RequestRetry.parse(fields);
  return { word: "Stuck", fields: { diagnosis, recommendation: strategyTo, attempts: trip.value } };
}
