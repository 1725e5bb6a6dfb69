/** `unrouted_status`: every outcome needs a route. */
import type { Machine, Protocol, State } from "../machine.ts";
import { frameOutcome, outcomesOf } from "../outcomes.ts";
import { allSpots } from "../levels.ts";
import { routeFor, routeIn, wordOf } from "../routes.ts";
import { problemAt, problemOf, type Problem } from "./problem.ts";

const code = "unrouted_status";

export function checkRoutes(protocol: Protocol, machine: Machine): readonly Problem[] {
  const states = allSpots(machine).flatMap((spot) => {
    const { state } = spot;
    const outcomes = outcomesOf(protocol, machine, state);
    if (outcomes.length === 0 && state.kind === "ask") {
      return [problemAt(machine, spot, { code, message: `${state.name} asks, and no answer leads on` })];
    }
    return outcomes
      .filter((outcome) => !isRouted(machine, state, outcome))
      .map((outcome) =>
        problemAt(machine, spot, { code, message: `${state.name} has no route for ${outcome}` }),
      );
  });
  const abort = routeIn(machine.errors, frameOutcome);
  if (abort !== undefined) return states;
  return [
    ...states,
    problemOf(machine, { code, message: `errors of ${machine.name} has no route for ${frameOutcome}` }),
  ];
}

/** A declared hint needs its own route; the route of the plain word is not enough. */
function isRouted(machine: Machine, state: State, outcome: string): boolean {
  if (outcome === wordOf(outcome)) return routeFor(machine, state, outcome) !== undefined;
  const first = state.kind === "parallel" || state.kind === "each" ? state.first : {};
  return [state.on, first, state.errors, machine.errors].some((routes) => Object.hasOwn(routes, outcome));
}
