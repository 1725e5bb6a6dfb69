/** Takes a route in a walk: its actions in order, then its target; if a counter runs out, the counter's route. */
import { destinationOf, type Destination } from "../flow.ts";
import type { Counter, Machine, Route } from "../machine.ts";
import type { Level, Spot } from "../levels.ts";
import type { Tallies } from "./position.ts";

/** The counts of the frame and the token; null if counters are not tracked. */
export interface Counts {
  readonly frame: Tallies | null;
  readonly visit: Tallies;
}

export interface RouteResult {
  readonly to: Destination;
  readonly counts: Counts;
  /** The counters that ran out, in order. */
  readonly trips: readonly string[];
  /** The rest of the route that the last of them cut short. */
  readonly rest: Route | null;
}

interface RouteContext {
  readonly machine: Machine;
  readonly from: Spot;
  /** The level in which the target is looked up. */
  readonly level: Level;
}

/** Several results if a counter may or may not run out. */
export function takeRoute(taking: RouteContext, route: Route, counts: Counts): readonly RouteResult[] {
  return follow(taking, { route, done: 0, counts, trips: [], rest: null });
}

interface RouteProgress {
  readonly route: Route;
  /** Number of actions performed. */
  readonly done: number;
  readonly counts: Counts;
  readonly trips: readonly string[];
  readonly rest: Route | null;
}

function follow(taking: RouteContext, under: RouteProgress): readonly RouteResult[] {
  const { route, done, counts, trips, rest } = under;
  const action = route.do[done];
  if (action === undefined)
    return [{ to: destinationOf(route.to, taking.level, taking.from), counts, trips, rest }];
  const next = { ...under, done: done + 1 };
  if (action.type === "reset")
    return follow(taking, { ...next, counts: reset(taking.machine, counts, action.counters) });
  if (action.type !== "count") return follow(taking, next);
  const counter = Object.hasOwn(taking.machine.counters, action.counter)
    ? taking.machine.counters[action.counter]
    : undefined;
  if (counter === undefined || counter.limit === null) return follow(taking, next);
  return count(counter, action.counter, counts).flatMap((counted) => {
    if (!counted.ranOut) return follow(taking, { ...next, counts: counted.counts });
    // Without an own route, or in a cycle of counters, the run could not continue.
    if (counter.over === null || trips.includes(action.counter)) return [];
    return follow(taking, {
      route: counter.over,
      done: 0,
      counts: counted.counts,
      trips: [...trips, action.counter],
      rest: { ...route, do: route.do.slice(done + 1) },
    });
  });
}

interface CountResult {
  readonly ranOut: boolean;
  readonly counts: Counts;
}

function count(counter: Counter, name: string, counts: Counts): readonly CountResult[] {
  if (counts.frame === null) return [false, true].map((ranOut) => ({ ranOut, counts }));
  const before = talliesOf(counter, counts)[name];
  // For a counter of equal failures, the next failure may be equal or different.
  const values = counter.same ? [...new Set([1, (before ?? 0) + 1])] : [(before ?? counter.from) + 1];
  const limit = counter.limit ?? Infinity;
  return values.map((value) => {
    const ranOut = (counter.same ? value : value - 1) >= limit;
    return {
      ranOut,
      counts: ranOut ? forget(counter, name, counts) : write(counter, counts, { [name]: value }),
    };
  });
}

function reset(machine: Machine, counts: Counts, names: readonly string[]): Counts {
  return names.reduce((left, name) => {
    const counter = Object.hasOwn(machine.counters, name) ? machine.counters[name] : undefined;
    return counter === undefined || counts.frame === null ? left : forget(counter, name, left);
  }, counts);
}

function talliesOf(counter: Counter, { frame, visit }: Counts): Tallies {
  return counter.scope === "visit" ? visit : (frame ?? {});
}

function write(counter: Counter, counts: Counts, values: Tallies): Counts {
  if (counter.scope === "visit") return { ...counts, visit: { ...counts.visit, ...values } };
  return { ...counts, frame: { ...counts.frame, ...values } };
}

function forget(counter: Counter, name: string, counts: Counts): Counts {
  const { [name]: _, ...left } = talliesOf(counter, counts);
  return counter.scope === "visit" ? { ...counts, visit: left } : { ...counts, frame: left };
}
