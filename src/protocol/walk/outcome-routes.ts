/** The outcomes of a state with their routes, and the effect of gates and dispatches on the proof. */
import type { DispatchState, Protocol, Route, State } from "../machine.ts";
import { outcomesOf, resumedOutcome } from "../outcomes.ts";
import { routeFor, wordOf } from "../routes.ts";
import type { Scope } from "./scope.ts";

export interface OutcomeRoute {
  readonly outcome: string;
  readonly route: Route;
}

/** Cache by state, because a walk visits states often. */
const routesByState = new WeakMap<State, readonly OutcomeRoute[]>();

/** The outcomes of a state with their routes; of equivalent ones only the first. */
export function outcomeRoutes(scope: Scope, state: State): readonly OutcomeRoute[] {
  const known = routesByState.get(state);
  if (known !== undefined) return known;
  const different = new Map<string, OutcomeRoute>();
  const resumed = Object.hasOwn(state.on, resumedOutcome) ? [resumedOutcome] : [];
  for (const outcome of [...outcomesOf(scope.world.protocol, scope.machine, state), ...resumed]) {
    const route = routeFor(scope.machine, state, outcome);
    if (route === undefined) continue;
    const proves = state.kind === "check" && wordOf(outcome) === "pass";
    const key = JSON.stringify([proves, route.to, route.do]);
    if (!different.has(key)) different.set(key, { outcome, route });
  }
  const ways = [...different.values()];
  routesByState.set(state, ways);
  return ways;
}

/** A gate's pass proves the work; a dispatch that may write invalidates the proof. */
export function isProvedAfter({ world }: Scope, state: State, outcome: string, proved: boolean): boolean {
  if (state.kind === "check") return proved || wordOf(outcome) === "pass";
  return state.kind === "dispatch" && mayWrite(world.protocol, state) ? false : proved;
}

const harmless = ["none", "documents", "review"];

function mayWrite(protocol: Protocol, state: DispatchState): boolean {
  const role = Object.hasOwn(protocol.roles, state.role) ? protocol.roles[state.role] : undefined;
  return !harmless.includes(state.writes ?? role?.writes ?? "");
}
