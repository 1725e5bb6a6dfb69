/** The levels of a machine: its own states, its regions and its event handlers, each with the names in scope. */
import type { Handler, Machine, Region, State } from "./machine.ts";

/** The scope of a token: the machine, a region of a parallel, or the region of an event handler. */
export interface Level {
  /** Empty, `parallel/region/` or `@event/`. */
  readonly prefix: string;
  readonly states: Readonly<Record<string, State>>;
  readonly start: string;
  readonly outer: Level | null;
  /** Id of the enclosing parallel, for a region. */
  readonly parallel?: string;
  /** Whether it belongs to an event handler. */
  readonly handler: boolean;
}

/** A state with the level of the token in it; an ask is entered at the token's level. */
export interface Spot {
  /** `state`, `parallel/region/state`, or `@event/state` in a handler. */
  readonly id: string;
  readonly state: State;
  readonly level: Level;
}

export function machineLevel(machine: Machine): Level {
  return { prefix: "", states: machine.states, start: machine.start, outer: null, handler: false };
}

export function regionLevel(parallel: Spot, name: string, region: Region): Level {
  return {
    prefix: `${parallel.id}/${name}/`,
    states: region.states,
    start: region.start,
    outer: parallel.level,
    parallel: parallel.id,
    handler: parallel.level.handler,
  };
}

/** `owner` is the state with the handler; null for the machine. */
export function handlerLevel(machine: Machine, { owner, event, region }: HandlerOptions): Level {
  return {
    prefix: `${owner === null ? "" : `${owner.id}/`}@${event}/`,
    states: region.states,
    start: region.start,
    outer: machineLevel(machine),
    handler: true,
  };
}

interface HandlerOptions {
  readonly owner: Spot | null;
  readonly event: string;
  readonly region: Region;
}

/** Inner levels first. */
export function enclosingLevels(level: Level): readonly Level[] {
  return level.outer === null ? [level] : [level, ...enclosingLevels(level.outer)];
}

/** The nearest state of a name, with the level that a token has there. */
export function findSpot(level: Level, name: string): Spot | undefined {
  for (const home of enclosingLevels(level)) {
    const state = Object.hasOwn(home.states, name) ? home.states[name] : undefined;
    if (state === undefined) continue;
    const entered = state.kind === "ask" ? level : home;
    return { id: entered.prefix + name, state, level: entered };
  }
  return undefined;
}

/** The levels of a machine, outermost first. */
export function allLevels(machine: Machine): readonly Level[] {
  const top = machineLevel(machine);
  return [top, ...handlerLevels(machine, null, machine.events), ...levelsBelow(machine, top)].flatMap(
    (level) =>
      level.handler && level.parallel === undefined ? [level, ...levelsBelow(machine, level)] : [level],
  );
}

/** All states of a machine, each on the level where it is declared. */
export function allSpots(machine: Machine): readonly Spot[] {
  return allLevels(machine).flatMap(spotsOn);
}

function spotsOn(level: Level): readonly Spot[] {
  return Object.values(level.states).map((state) => ({ id: level.prefix + state.name, state, level }));
}

function levelsBelow(machine: Machine, level: Level): readonly Level[] {
  return spotsOn(level).flatMap((spot) => {
    const regions = spot.state.kind === "parallel" ? Object.entries(spot.state.regions) : [];
    const inner = regions.map(([name, region]) => regionLevel(spot, name, region));
    return [
      ...handlerLevels(machine, spot, spot.state.events),
      ...inner.flatMap((each) => [each, ...levelsBelow(machine, each)]),
    ];
  });
}

function handlerLevels(
  machine: Machine,
  owner: Spot | null,
  events: Readonly<Record<string, Handler>>,
): readonly Level[] {
  return Object.entries(events).flatMap(([event, handler]) =>
    handler.type === "region" ? [handlerLevel(machine, { owner, event, region: handler.region })] : [],
  );
}
