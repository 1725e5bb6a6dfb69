/**
 * A machine as a graph: where each outcome of each state leads, counters that ran out and events among it.
 * The checker, the references and the drawing read this; it knows no counter values and no proofs.
 */
import { assertNever } from "../lib/assert-never.ts";
import { outcomesOf, resumedOutcome } from "./outcomes.ts";
import type { Handler, Machine, Protocol, Route, Target } from "./machine.ts";
import { findSpot, handlerLevel, machineLevel, regionLevel, type Level, type Spot } from "./places.ts";
import { routeFor } from "./routes.ts";

export type Landing =
  | { readonly type: "spot"; readonly spot: Spot }
  /** The region ended; its parallel judges. */
  | { readonly type: "joined"; readonly parallel: string; readonly outcome: string }
  | { readonly type: "ended"; readonly outcome: string }
  | { readonly type: "back" }
  | { readonly type: "resume" }
  | { readonly type: "nowhere"; readonly name: string };

export interface Edge {
  readonly from: Spot;
  readonly outcome: string;
  readonly to: Landing;
  /** What leads here: an outcome, a parallel that begins its regions, an end, an event. */
  readonly cause: "outcome" | "begin" | "end" | "event";
  /** Missing where nothing but the state's kind leads here. */
  readonly route?: Route;
  /** Counters that ran out on the way, in their order; then the last `over` is the route. */
  readonly trips: readonly string[];
  readonly counts: readonly string[];
  /** A counter that ran out starts anew. */
  readonly resets: readonly string[];
}

export interface Flow {
  readonly spots: ReadonlyMap<string, Spot>;
  readonly edges: readonly Edge[];
}

/** Everything that can be reached from the start, or from other states; it goes on only from what `goesOn` accepts. */
export function flowOf(
  protocol: Protocol,
  machine: Machine,
  from: readonly Spot[] = startOf(machineLevel(machine)),
  goesOn: (spot: Spot) => boolean = () => true,
): Flow {
  const spots = new Map<string, Spot>();
  const edges: Edge[] = [];
  const waiting = [...from];
  for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
    if (spots.has(spot.id)) continue;
    spots.set(spot.id, spot);
    if (!goesOn(spot)) continue;
    for (const edge of edgesFrom(protocol, machine, spot)) {
      edges.push(edge);
      if (edge.to.type === "spot") waiting.push(edge.to.spot);
    }
  }
  return { spots, edges };
}

export function startOf(level: Level): readonly Spot[] {
  const start = findSpot(level, level.start);
  return start === undefined ? [] : [start];
}

/** All ways out of a state: its outcomes, its regions' beginnings, the events that may interrupt it. */
export function edgesFrom(protocol: Protocol, machine: Machine, spot: Spot): readonly Edge[] {
  const { state } = spot;
  const ways = [
    ...outcomeEdges(protocol, machine, spot),
    ...eventEdges(machine, spot),
    ...resumedEdges(machine, spot),
  ];
  if (state.kind === "end") return [endEdge(spot, state.outcome)];
  if (state.kind !== "parallel") return ways;
  const begins = Object.entries(state.regions).flatMap(([name, region]) => {
    const to = landOnState(regionLevel(spot, name, region), region.start);
    return [{ ...bare(spot), outcome: name, to, cause: "begin" as const }];
  });
  return [...begins, ...ways];
}

/** Where a target leads for a token of this level; `self` is the state it stands in. */
export function land(target: Target, level: Level, from: Spot): Landing {
  switch (target.type) {
    case "state":
      return landOnState(level, target.state);
    case "self":
      return { type: "spot", spot: from };
    case "back":
    case "resume":
      return { type: target.type };
    case "frame":
      return { type: "ended", outcome: target.outcome };
    case "out":
      return leave(level, target.outcome);
    default:
      return assertNever(target);
  }
}

function leave(level: Level, outcome: string): Landing {
  if (level.parallel !== undefined) return { type: "joined", parallel: level.parallel, outcome };
  return { type: "ended", outcome };
}

function landOnState(level: Level, name: string): Landing {
  const spot = findSpot(level, name);
  return spot === undefined ? { type: "nowhere", name } : { type: "spot", spot };
}

function outcomeEdges(protocol: Protocol, machine: Machine, spot: Spot): readonly Edge[] {
  return outcomesOf(protocol, machine, spot.state).flatMap((outcome) => {
    const route = routeFor(machine, spot.state, outcome);
    return route === undefined
      ? []
      : followRoute(machine, { ...bare(spot), outcome, cause: "outcome" }, route);
  });
}

type Way = Omit<Edge, "to" | "route">;

/** The route itself, and for each counter it counts the way that is taken when that one ran out. */
function followRoute(machine: Machine, way: Way, route: Route, level = way.from.level): readonly Edge[] {
  const over: Edge[] = [];
  const counts = [...way.counts];
  const resets = [...way.resets];
  for (const action of route.do) {
    if (action.type === "reset") resets.push(...action.counters);
    if (action.type !== "count") continue;
    const counter = Object.hasOwn(machine.counters, action.counter)
      ? machine.counters[action.counter]
      : undefined;
    if (counter?.over && !way.trips.includes(action.counter)) {
      const trip = {
        ...way,
        trips: [...way.trips, action.counter],
        counts: [...counts],
        resets: [...resets, action.counter],
      };
      over.push(...followRoute(machine, trip, counter.over, level));
    }
    counts.push(action.counter);
  }
  return [{ ...way, counts, resets, route, to: land(route.to, level, way.from) }, ...over];
}

function eventEdges(machine: Machine, spot: Spot): readonly Edge[] {
  // A handler is not interrupted: events wait until it has ended.
  if (spot.level.handler) return [];
  const handlers: Record<string, Handler> = { ...machine.events, ...spot.state.events };
  return Object.entries(handlers).flatMap(([event, handler]) => {
    const way: Way = { ...bare(spot), outcome: event, cause: "event" };
    // The frame as a whole goes there, out of every region.
    if (handler.type === "route") return followRoute(machine, way, handler.route, machineLevel(machine));
    const owner = Object.hasOwn(spot.state.events, event) ? spot : null;
    const level = handlerLevel(machine, { owner, event, region: handler.region });
    return [{ ...way, to: landOnState(level, level.start) }];
  });
}

/** Where the token goes instead of going on where an event found it. */
function resumedEdges(machine: Machine, spot: Spot): readonly Edge[] {
  const { on } = spot.state;
  const route = Object.hasOwn(on, resumedOutcome) ? on[resumedOutcome] : undefined;
  if (route === undefined) return [];
  return followRoute(machine, { ...bare(spot), outcome: resumedOutcome, cause: "event" }, route);
}

function endEdge(spot: Spot, outcome: string): Edge {
  return { ...bare(spot), outcome, to: leave(spot.level, outcome), cause: "end" };
}

function bare(spot: Spot): Omit<Way, "outcome" | "cause"> {
  return { from: spot, trips: [], counts: [], resets: [] };
}
