/** `bad_join`: the outcomes of regions and children must match the outcomes in `join` and `first`. */
import { machineExits, regionExits } from "../exits.ts";
import type { EachState, Machine, ParallelState, Protocol } from "../machine.ts";
import { askedOutcome } from "../outcomes.ts";
import { allSpots, regionLevel, type Spot } from "../levels.ts";
import { wordOf } from "../routes.ts";
import { problemAt, type Problem } from "./problem.ts";

export function checkJoins(protocol: Protocol, machine: Machine): readonly Problem[] {
  return allSpots(machine).flatMap((spot) => {
    const { state } = spot;
    if (state.kind !== "parallel" && state.kind !== "each") return [];
    const exits =
      state.kind === "parallel" ? exitsOfRegions(protocol, machine, spot) : exitsOfChildren(protocol, state);
    return joinFaults(state, exits).map((message) => problemAt(machine, spot, { code: "bad_join", message }));
  });
}

function exitsOfRegions(protocol: Protocol, machine: Machine, spot: Spot): ReadonlySet<string> {
  if (spot.state.kind !== "parallel") return new Set();
  const regions = Object.entries(spot.state.regions);
  return new Set(
    regions.flatMap(([name, region]) => [...regionExits(protocol, machine, regionLevel(spot, name, region))]),
  );
}

function exitsOfChildren(protocol: Protocol, state: EachState): ReadonlySet<string> {
  const child = Object.hasOwn(protocol.machines, state.machine)
    ? protocol.machines[state.machine]
    : undefined;
  return child === undefined ? new Set() : machineExits(protocol, child);
}

function joinFaults(state: ParallelState | EachState, exits: ReadonlySet<string>): readonly string[] {
  const named = [...state.join, ...Object.keys(state.first)];
  const lost = [...exits].filter((exit) => !named.includes(exit) && !named.includes(wordOf(exit)));
  const idle = state.join.filter(
    (word) => ![...exits].some((exit) => exit === word || wordOf(exit) === word),
  );
  const twice = state.join.filter((word, index) => state.join.indexOf(word) !== index);
  const what = state.kind === "parallel" ? "a region" : `the machine ${state.machine}`;
  return [
    ...lost.map((exit) =>
      exit === askedOutcome
        ? `${what} can ask its parent, and ${state.name} has no route for ${exit} in first`
        : `${what} can end with ${exit}, which is neither in join nor in first of ${state.name}`,
    ),
    ...idle.map((word) => `${state.name} joins ${word}, which ${what} never ends with`),
    ...twice.map((word) => `${state.name} joins ${word} twice`),
  ];
}
