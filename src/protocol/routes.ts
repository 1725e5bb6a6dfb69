/** Finds the route of an outcome, for the kernel and the checker. */
import type { Machine, Route, Routes, State } from "./machine.ts";

/**
 * The most specific route wins: the state's `on`, `first` and `errors` with the hint, then without, then the machine's
 * `errors` with the hint, then without. Undefined if there is no route.
 */
export function routeFor(machine: Machine, state: State, outcome: string): Route | undefined {
  const word = wordOf(outcome);
  const own =
    state.kind === "parallel" || state.kind === "each"
      ? [state.on, state.first, state.errors]
      : [state.on, state.errors];
  for (const key of word === outcome ? [outcome] : [outcome, word]) {
    for (const routes of own) if (Object.hasOwn(routes, key)) return routes[key];
  }
  return routeIn(machine.errors, outcome);
}

/** The route of an outcome in one table: with the hint, else without. */
export function routeIn(routes: Routes, outcome: string): Route | undefined {
  if (Object.hasOwn(routes, outcome)) return routes[outcome];
  const word = wordOf(outcome);
  return Object.hasOwn(routes, word) ? routes[word] : undefined;
}

/** `quality` of `fail.quality`. */
export function hintOf(outcome: string): string | null {
  const dot = outcome.indexOf(".");
  return dot === -1 ? null : outcome.slice(dot + 1);
}

/** `fail` of `fail.quality`. */
export function wordOf(outcome: string): string {
  const dot = outcome.indexOf(".");
  return dot === -1 ? outcome : outcome.slice(0, dot);
}
