/** The store of dialogues, as a run's own context opens it. */
import { openObservations, type Observations } from "../../journal/observations.ts";
import type { RunContext } from "../../run/context.ts";

export function openStore({ home, clock }: Pick<RunContext, "home" | "clock">): Promise<Observations> {
  return openObservations({ home: home.root, clock });
}
