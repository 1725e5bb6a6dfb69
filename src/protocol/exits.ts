/** How regions and machines can end: the outcomes that their parallel, their `each` or the run has to deal with. */
import { flowOf, startOf } from "./flow.ts";
import type { Machine, Protocol } from "./machine.ts";
import { askedOutcome } from "./outcomes.ts";
import { machineLevel, type Level, type Spot } from "./places.ts";

/** What a region can end with. */
export function regionExits(protocol: Protocol, machine: Machine, region: Level): ReadonlySet<string> {
  const isInside = ({ level }: Spot) => level.prefix.startsWith(region.prefix);
  const { edges } = flowOf(protocol, machine, startOf(region), isInside);
  return new Set(
    edges.flatMap(({ from, to }) =>
      to.type === "joined" && from.level.prefix === region.prefix ? [to.outcome] : [],
    ),
  );
}

/** What a frame can end with, and `asked` where it can wait for its parent; what an abort leads to is not among it. */
export function machineExits(protocol: Protocol, machine: Machine): ReadonlySet<string> {
  const { edges, spots } = flowOf(protocol, machine, startOf(machineLevel(machine)));
  const asks = [...spots.values()].some(({ state }) => state.kind === "ask" && state.to === "parent");
  const ends = edges.flatMap(({ to }) => (to.type === "ended" ? [to.outcome] : []));
  return new Set([...ends, ...(asks ? [askedOutcome] : [])]);
}
