/** Opens the dialogue store of a run's context. */
import { openHomeObservations } from "../../journal/home-store.ts";
import type { Observations } from "../../journal/observations.ts";
import type { RunContext } from "../../run/context.ts";

export function openStore({ home, clock }: Pick<RunContext, "home" | "clock">): Promise<Observations> {
  return openHomeObservations(home, clock);
}
