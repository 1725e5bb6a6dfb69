/**
 * Checks the names in a compiled protocol: targets, starts, machines, forks, and routes for impossible outcomes. These
 * are faults of the file; check.ts checks whether the protocol is sound.
 */
import type { YamlFault, YamlPosition } from "../lib/yaml/yaml-fault.ts";
import { declaredRoutes, type DeclaredRoute } from "./declared-routes.ts";
import { machineExits, regionExits } from "./exits.ts";
import type { DispatchState, Machine, Protocol, Routes, State } from "./machine.ts";
import { outcomesOf, resumedOutcome } from "./outcomes.ts";
import {
  allLevels,
  allSpots,
  findSpot,
  enclosingLevels,
  machineLevel,
  regionLevel,
  type Spot,
} from "./levels.ts";
import { wordOf } from "./routes.ts";

/** Unknown names. */
export function danglingFaults(protocol: Protocol): readonly YamlFault[] {
  return Object.values(protocol.machines).flatMap((machine) => danglingIn(protocol, machine));
}

/** Routes for impossible outcomes. */
export function impossibleFaults(protocol: Protocol): readonly YamlFault[] {
  return Object.values(protocol.machines).flatMap((machine) => impossibleIn(protocol, machine));
}

function danglingIn(protocol: Protocol, machine: Machine): readonly YamlFault[] {
  return [
    ...startFaults(machine),
    ...declaredRoutes(machine).flatMap((declared) => [
      ...targetFaults(machine, declared),
      ...reopenFaults(protocol, machine, declared),
    ]),
    ...allSpots(machine).flatMap(({ state }) => [
      ...machineFaults(protocol, state),
      ...(state.kind === "dispatch" ? forkFaults(protocol, machine, state) : []),
    ]),
  ];
}

function startFaults(machine: Machine): readonly YamlFault[] {
  return allLevels(machine).flatMap(({ start, states }) => {
    if (start === "" || Object.hasOwn(states, start)) return [];
    const at = Object.values(states)[0]?.at ?? machine.at;
    return [fault(at, `start leads to ${start}, which is no state here`, Object.keys(states))];
  });
}

function targetFaults(machine: Machine, { route, table, key, spot }: DeclaredRoute): readonly YamlFault[] {
  const { to } = route;
  const level = spot?.level ?? machineLevel(machine);
  if (to.type === "state" && findSpot(level, to.state) === undefined) {
    const known = enclosingLevels(level).flatMap(({ states }) => Object.keys(states));
    const whose = spot === undefined ? "" : `${spot.state.name}: `;
    return [fault(route.at, `${whose}${key} leads to ${to.state}, which is no state here`, known)];
  }
  if (to.type === "back" && (spot?.state.kind !== "ask" || table === "event")) {
    return [fault(route.at, `${key} leads back, which only the answer of an ask can`)];
  }
  if (to.type === "resume" && !level.handler) {
    return [fault(route.at, `${key} leads to resume, which only a state of an event's handler can`)];
  }
  if (to.type === "out" && level.handler && level.parallel === undefined) {
    return [
      fault(
        route.at,
        `${key} ends a handler, which ends with resume, a state of the machine or ^^${to.outcome}`,
      ),
    ];
  }
  return [];
}

function reopenFaults(
  protocol: Protocol,
  machine: Machine,
  { route, spot }: DeclaredRoute,
): readonly YamlFault[] {
  const { reopen, to, at } = route;
  if (reopen === undefined) return [];
  const target =
    to.type === "state" ? findSpot(spot?.level ?? machineLevel(machine), to.state)?.state : undefined;
  if (target?.kind !== "each") return [fault(at, "reopen needs a route to an each")];
  const states = machineNamed(protocol, target.machine)?.states ?? {};
  if (Object.hasOwn(states, reopen)) return [];
  return [fault(at, `reopen names ${reopen}, which is no state of ${target.machine}`, Object.keys(states))];
}

function machineFaults(protocol: Protocol, state: State): readonly YamlFault[] {
  if (state.kind !== "each" || machineNamed(protocol, state.machine) !== undefined) return [];
  const known = Object.keys(protocol.machines);
  return [fault(state.at, `${state.name} starts ${state.machine}, which is no machine`, known)];
}

function forkFaults(
  protocol: Protocol,
  machine: Machine,
  { name, thread, at }: DispatchState,
): readonly YamlFault[] {
  if (thread.type !== "fork") return [];
  const places = thread.of === "self" ? [machine] : parentsOf(protocol, machine);
  // Only the run starts this machine: there is no thread to fork, so it starts fresh.
  if (places.length === 0) return [];
  const known = places
    .flatMap(allSpots)
    .flatMap(({ state }) => (state.kind === "dispatch" ? [state.name] : []));
  if (known.includes(thread.state)) return [];
  return [
    fault(at, `${name} forks the thread of ${thread.state}, which is no dispatch there`, [...new Set(known)]),
  ];
}

function parentsOf(protocol: Protocol, machine: Machine): readonly Machine[] {
  return Object.values(protocol.machines).filter((parent) =>
    allSpots(parent).some(({ state }) => state.kind === "each" && state.machine === machine.name),
  );
}

function impossibleIn(protocol: Protocol, machine: Machine): readonly YamlFault[] {
  return allSpots(machine).flatMap((spot) => {
    const { state } = spot;
    const exits = exitsBelow(protocol, machine, spot);
    // The checker reports outcomes of regions that a join lacks.
    const come = [...new Set([...outcomesOf(protocol, machine, state), ...exits])];
    const first = state.kind === "parallel" || state.kind === "each" ? state.first : {};
    return [
      ...impossible(state.on, canResume(machine, spot) ? [...come, resumedOutcome] : come, state),
      ...impossible(state.errors, come, state),
      ...impossible(first, exits, state),
    ];
  });
}

/** Whether a handler can resume here: not inside a handler, which is not interrupted. */
function canResume(machine: Machine, { level }: Spot): boolean {
  return !level.handler && allLevels(machine).some(({ handler }) => handler);
}

/** The outcomes of a state's regions or children. */
function exitsBelow(protocol: Protocol, machine: Machine, spot: Spot): readonly string[] {
  const { state } = spot;
  if (state.kind === "each") {
    const child = machineNamed(protocol, state.machine);
    return child === undefined ? [] : [...machineExits(protocol, child)];
  }
  const regions = state.kind === "parallel" ? Object.entries(state.regions) : [];
  const levels = regions.map(([name, region]) => regionLevel(spot, name, region));
  return [...new Set(levels.flatMap((level) => [...regionExits(protocol, machine, level)]))];
}

function impossible(routes: Routes, come: readonly string[], state: State): readonly YamlFault[] {
  return Object.entries(routes).flatMap(([key, route]) =>
    come.some((outcome) => outcome === key || wordOf(outcome) === key)
      ? []
      : [fault(route.at, `${state.name} routes ${key}, an outcome that cannot come`, come)],
  );
}

function machineNamed(protocol: Protocol, name: string): Machine | undefined {
  return Object.hasOwn(protocol.machines, name) ? protocol.machines[name] : undefined;
}

function fault(at: YamlPosition, message: string, allowed?: readonly string[]): YamlFault {
  return { ...at, path: [], message, ...(allowed === undefined ? {} : { allowed }) };
}
