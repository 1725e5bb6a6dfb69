/** Groups states by phase, for a protocol whose states all have a phase (the graph's five nodes). */
import { nodeId } from "./edges.ts";
import type { Machine, Protocol, State } from "./machine.ts";
import { box, drawEnds, drawNode, quoted, type Drawing } from "./mermaid-parts.ts";
import { allLevels, allSpots, type Level } from "./levels.ts";

export function isGrouped({ machines }: Protocol): boolean {
  return Object.values(machines)
    .flatMap(allSpots)
    .every(({ state }) => state.phase !== undefined);
}

/** One box per phase in file order; dotted arrows lead to the starts of regions. */
export function drawGroups(machine: Machine, drawing: Drawing): readonly string[] {
  const spots = allSpots(machine);
  const id = (name: string) => drawing.short(nodeId(machine, name));
  const phases = [...new Set(spots.map(({ state }) => phaseOf(state)))];
  const groups = phases.flatMap((phase) => {
    const inside = spots.filter(({ state }) => phaseOf(state) === phase);
    return box(
      id(`phase ${phase}`),
      phase,
      inside.map((spot) => drawNode(id(spot.id), spot.state)),
    );
  });
  const regions = allLevels(machine).flatMap((level) => {
    if (level.parallel === undefined) return [];
    const start = `${id(level.parallel)} -.->|${quoted(nameOf(level))}| ${id(level.prefix + level.start)}`;
    return [...drawEnds(machine, level.prefix, drawing), start];
  });
  return [...groups, ...regions];
}

function phaseOf({ phase = "" }: State): string {
  return phase;
}

/** `tests` of `work/tests/`. */
function nameOf({ prefix }: Level): string {
  return prefix.split("/").at(-2) ?? prefix;
}
