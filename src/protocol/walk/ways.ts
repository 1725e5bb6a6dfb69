/** The ways out of a state: its outcomes with their routes, and what a gate or a dispatch does to the proof. */
import type { DispatchState, Protocol, Route, State } from "../machine.ts";
import { outcomesOf, resumedOutcome } from "../outcomes.ts";
import { routeFor, wordOf } from "../routes.ts";
import type { Scope } from "./scope.ts";

export interface WayOut {
  readonly outcome: string;
  readonly route: Route;
}

/** Kept by state: a walk comes by often. A weak map, since protocols come and go. */
const waysByState = new WeakMap<State, readonly WayOut[]>();

/** The outcomes of a state with their routes; of those that lead on in the same way only the first. */
export function waysOut(scope: Scope, state: State): readonly WayOut[] {
  const known = waysByState.get(state);
  if (known !== undefined) return known;
  const different = new Map<string, WayOut>();
  const resumed = Object.hasOwn(state.on, resumedOutcome) ? [resumedOutcome] : [];
  for (const outcome of [...outcomesOf(scope.world.protocol, scope.machine, state), ...resumed]) {
    const route = routeFor(scope.machine, state, outcome);
    if (route === undefined) continue;
    const proves = state.kind === "check" && wordOf(outcome) === "pass";
    const key = JSON.stringify([proves, route.to, route.do]);
    if (!different.has(key)) different.set(key, { outcome, route });
  }
  const ways = [...different.values()];
  waysByState.set(state, ways);
  return ways;
}

/** A gate's pass proves; whatever a dispatch that may write has done since takes the proof away. */
export function provedAfter({ world }: Scope, state: State, outcome: string, proved: boolean): boolean {
  if (state.kind === "check") return proved || wordOf(outcome) === "pass";
  return state.kind === "dispatch" && mayWrite(world.protocol, state) ? false : proved;
}

const harmless = ["none", "documents", "review"];

function mayWrite(protocol: Protocol, state: DispatchState): boolean {
  const role = Object.hasOwn(protocol.roles, state.role) ? protocol.roles[state.role] : undefined;
  return !harmless.includes(state.writes ?? role?.writes ?? "");
}
