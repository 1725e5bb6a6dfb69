/**
 * A machine as a graph: the destinations of all outcomes, of counters that run out, and of events. The checker and the
 * references use it; it ignores counter values and proofs.
 */
import { assertNever } from "../lib/assert-never.ts";
import { outcomesOf, resumedOutcome } from "./outcomes.ts";
import type { Handler, Machine, Protocol, Route, Target } from "./machine.ts";
import { findSpot, handlerLevel, machineLevel, regionLevel, type Level, type Spot } from "./levels.ts";
import { routeFor } from "./routes.ts";

export type Destination =
  | { readonly type: "spot"; readonly spot: Spot }
  /** The region ends; its parallel joins. */
  | { readonly type: "joined"; readonly parallel: string; readonly outcome: string }
  | { readonly type: "ended"; readonly outcome: string }
  | { readonly type: "back" }
  | { readonly type: "resume" }
  | { readonly type: "nowhere"; readonly name: string };

export interface FlowEdge {
  readonly from: Spot;
  readonly outcome: string;
  readonly to: Destination;
  /** The cause of the edge: an outcome, the start of a region, an end state, an event. */
  readonly cause: "outcome" | "begin" | "end" | "event";
  /** Absent if the edge follows from the state's kind. */
  readonly route?: Route;
  /** Counters that run out on this edge, in order; then the last `over` is the route. */
  readonly trips: readonly string[];
  readonly counts: readonly string[];
  /** Includes counters that run out. */
  readonly resets: readonly string[];
}

export interface Flow {
  readonly spots: ReadonlyMap<string, Spot>;
  readonly edges: readonly FlowEdge[];
}

/** Everything reachable from the start or from `from`; continues only from spots that `isExpanded` accepts. */
export function flowOf(
  protocol: Protocol,
  machine: Machine,
  from: readonly Spot[] = startOf(machineLevel(machine)),
  isExpanded: (spot: Spot) => boolean = () => true,
): Flow {
  const spots = new Map<string, Spot>();
  const edges: FlowEdge[] = [];
  const waiting = [...from];
  for (let spot = waiting.pop(); spot !== undefined; spot = waiting.pop()) {
    if (spots.has(spot.id)) continue;
    spots.set(spot.id, spot);
    if (!isExpanded(spot)) continue;
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

/** All edges from a state: its outcomes, the starts of its regions, and events that may interrupt it. */
export function edgesFrom(protocol: Protocol, machine: Machine, spot: Spot): readonly FlowEdge[] {
  const { state } = spot;
  const ways = [
    ...outcomeEdges(protocol, machine, spot),
    ...eventEdges(machine, spot),
    ...resumedEdges(machine, spot),
  ];
  if (state.kind === "end") return [endEdge(spot, state.outcome)];
  if (state.kind !== "parallel") return ways;
  const begins = Object.entries(state.regions).flatMap(([name, region]) => {
    const to = stateDestination(regionLevel(spot, name, region), region.start);
    return [{ ...emptyEdge(spot), outcome: name, to, cause: "begin" as const }];
  });
  return [...begins, ...ways];
}

/** The destination of a target for a token on this level; `self` is the token's state. */
export function destinationOf(target: Target, level: Level, from: Spot): Destination {
  switch (target.type) {
    case "state":
      return stateDestination(level, target.state);
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

function leave(level: Level, outcome: string): Destination {
  if (level.parallel !== undefined) return { type: "joined", parallel: level.parallel, outcome };
  return { type: "ended", outcome };
}

function stateDestination(level: Level, name: string): Destination {
  const spot = findSpot(level, name);
  return spot === undefined ? { type: "nowhere", name } : { type: "spot", spot };
}

function outcomeEdges(protocol: Protocol, machine: Machine, spot: Spot): readonly FlowEdge[] {
  return outcomesOf(protocol, machine, spot.state).flatMap((outcome) => {
    const route = routeFor(machine, spot.state, outcome);
    return route === undefined
      ? []
      : followRoute(machine, { ...emptyEdge(spot), outcome, cause: "outcome" }, route);
  });
}

type PartialEdge = Omit<FlowEdge, "to" | "route">;

/** The edge of the route, and one for each counter that may run out on it. */
function followRoute(
  machine: Machine,
  way: PartialEdge,
  route: Route,
  level = way.from.level,
): readonly FlowEdge[] {
  const over: FlowEdge[] = [];
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
  return [{ ...way, counts, resets, route, to: destinationOf(route.to, level, way.from) }, ...over];
}

function eventEdges(machine: Machine, spot: Spot): readonly FlowEdge[] {
  // Events wait until a running handler has ended.
  if (spot.level.handler) return [];
  const handlers: Record<string, Handler> = { ...machine.events, ...spot.state.events };
  return Object.entries(handlers).flatMap(([event, handler]) => {
    const way: PartialEdge = { ...emptyEdge(spot), outcome: event, cause: "event" };
    // The whole frame goes there and leaves all regions.
    if (handler.type === "route") return followRoute(machine, way, handler.route, machineLevel(machine));
    const owner = Object.hasOwn(spot.state.events, event) ? spot : null;
    const level = handlerLevel(machine, { owner, event, region: handler.region });
    return [{ ...way, to: stateDestination(level, level.start) }];
  });
}

/** The state's own route after a handled event, instead of continuing in the state. */
function resumedEdges(machine: Machine, spot: Spot): readonly FlowEdge[] {
  const { on } = spot.state;
  const route = Object.hasOwn(on, resumedOutcome) ? on[resumedOutcome] : undefined;
  if (route === undefined) return [];
  return followRoute(machine, { ...emptyEdge(spot), outcome: resumedOutcome, cause: "event" }, route);
}

function endEdge(spot: Spot, outcome: string): FlowEdge {
  return { ...emptyEdge(spot), outcome, to: leave(spot.level, outcome), cause: "end" };
}

function emptyEdge(spot: Spot): Omit<PartialEdge, "outcome" | "cause"> {
  return { from: spot, trips: [], counts: [], resets: [] };
}
