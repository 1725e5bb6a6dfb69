/** The outcomes with which regions and machines can end, for their parallel, their `each` or the run. */
import { flowOf, startOf } from "./flow.ts";
import type { Machine, Protocol } from "./machine.ts";
import { askedOutcome } from "./outcomes.ts";
import { machineLevel, type Level, type Spot } from "./levels.ts";

/** The outcomes of a region. */
export function regionExits(protocol: Protocol, machine: Machine, region: Level): ReadonlySet<string> {
  const isInside = ({ level }: Spot) => level.prefix.startsWith(region.prefix);
  const { edges } = flowOf(protocol, machine, startOf(region), isInside);
  return new Set(
    edges.flatMap(({ from, to }) =>
      to.type === "joined" && from.level.prefix === region.prefix ? [to.outcome] : [],
    ),
  );
}

/** The outcomes of a frame, plus `asked` if it can ask its parent; without those after an abort. */
export function machineExits(protocol: Protocol, machine: Machine): ReadonlySet<string> {
  const { edges, spots } = flowOf(protocol, machine, startOf(machineLevel(machine)));
  const asks = [...spots.values()].some(({ state }) => state.kind === "ask" && state.to === "parent");
  const ends = edges.flatMap(({ to }) => (to.type === "ended" ? [to.outcome] : []));
  return new Set([...ends, ...(asks ? [askedOutcome] : [])]);
}
