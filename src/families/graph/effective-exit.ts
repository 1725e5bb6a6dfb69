/** The exit that ended a node: a retry beyond the limit counts as Stuck, with the kernel's attempt count (V3-17). */
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
