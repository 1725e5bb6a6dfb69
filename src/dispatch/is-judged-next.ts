import type { DispatchCommand } from "../kernel/command.ts";
import { allSpots, findSpot } from "../protocol/levels.ts";
import { wordOf } from "../protocol/routes.ts";
import type { RunContext } from "../run/context.ts";

/** Whether this outcome of the dispatch leads to a gate. */
export function isJudgedNext(
  { session }: RunContext,
  { state, frame }: DispatchCommand,
  outcome: string,
): boolean {
  return Object.values(session.protocol.machines).some((machine) => {
    if (frame === "main" && machine.name !== "main") return false;
    return allSpots(machine)
      .filter((spot) => spot.state.name === state)
      .some((spot) => {
        const { on } = spot.state;
        const to = (on[outcome] ?? on[wordOf(outcome)])?.to;
        return to?.type === "state" && findSpot(spot.level, to.state)?.state.kind === "check";
      });
  });
}
