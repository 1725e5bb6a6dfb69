/** `unreachable_state`: every state must be reachable, except states inherited from an abstract machine. */
import { flowOf, startOf } from "../flow.ts";
import type { Machine, Protocol, State } from "../machine.ts";
import { frameOutcome } from "../outcomes.ts";
import { allSpots, findSpot, machineLevel, type Spot } from "../levels.ts";
import { routeIn } from "../routes.ts";
import { problemAt, type Problem } from "./problem.ts";

const code = "unreachable_state";

export function checkReach(protocol: Protocol): readonly Problem[] {
  const started = startedMachines(protocol);
  return Object.values(protocol.machines).flatMap((machine) => {
    const reached = started.get(machine.name);
    if (reached !== undefined) return unreachedStates(machine, reached);
    const message = `no each starts the machine ${machine.name}; one that is only liked is abstract`;
    return startOf(machineLevel(machine)).map((spot) => problemAt(machine, spot, { code, message }));
  });
}

function unreachedStates(machine: Machine, reached: ReadonlySet<State>): readonly Problem[] {
  const spots = allSpots(machine);
  return spots
    .filter(
      ({ state, level }) =>
        !reached.has(state) && state.mayBeUnreachable !== true && isOutermost(spots, level.parallel, reached),
    )
    .map((spot) => problemAt(machine, spot, { code, message: `nothing leads to ${spot.state.name}` }));
}

/** States inside an unreachable parallel are not reported separately. */
function isOutermost(
  spots: readonly Spot[],
  parallel: string | undefined,
  reached: ReadonlySet<State>,
): boolean {
  const around = spots.find((spot) => spot.id === parallel);
  return around === undefined || reached.has(around.state);
}

/** The machines that a run can start, with the reachable states of each. */
function startedMachines(protocol: Protocol): ReadonlyMap<string, ReadonlySet<State>> {
  const started = new Map<string, ReadonlySet<State>>();
  const waiting = ["main"];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const machine = Object.hasOwn(protocol.machines, name) ? protocol.machines[name] : undefined;
    if (machine === undefined || started.has(name)) continue;
    const states = reachedStates(protocol, machine);
    started.set(name, states);
    for (const state of states) if (state.kind === "each") waiting.push(state.machine);
  }
  return started;
}

function reachedStates(protocol: Protocol, machine: Machine): ReadonlySet<State> {
  const top = machineLevel(machine);
  const abort = routeIn(machine.errors, frameOutcome);
  const afterAbort = abort?.to.type === "state" ? findSpot(top, abort.to.state) : undefined;
  const from = [...startOf(top), ...(afterAbort === undefined ? [] : [afterAbort])];
  return new Set([...flowOf(protocol, machine, from).spots.values()].map(({ state }) => state));
}
