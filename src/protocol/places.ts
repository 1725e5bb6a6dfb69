/** The places of a machine: its states, those in regions and in event handlers, each with what it can name. */
import type { Handler, Machine, Region, State } from "./machine.ts";

/** Where a token is at home: the machine, a region of a parallel, or the region of an event's handler. */
export interface Level {
  /** Empty, `parallel/region/` or `@event/`. */
  readonly prefix: string;
  readonly states: Readonly<Record<string, State>>;
  readonly start: string;
  readonly outer: Level | null;
  /** The id of the parallel whose region this is. */
  readonly parallel?: string;
  /** It belongs to an event's handler. */
  readonly handler: boolean;
}

/** A state with the level of the token that stands in it: an ask of the machine is entered where the token is. */
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

/** `owner` is the state whose handler it is, null for the machine's own. */
export function handlerLevel(machine: Machine, { owner, event, region }: HandlerPlace): Level {
  return {
    prefix: `${owner === null ? "" : `${owner.id}/`}@${event}/`,
    states: region.states,
    start: region.start,
    outer: machineLevel(machine),
    handler: true,
  };
}

interface HandlerPlace {
  readonly owner: Spot | null;
  readonly event: string;
  readonly region: Region;
}

/** Inner levels first. */
export function levelsAround(level: Level): readonly Level[] {
  return level.outer === null ? [level] : [level, ...levelsAround(level.outer)];
}

/** The nearest state of a name, in the level where a token goes that names it. */
export function findSpot(level: Level, name: string): Spot | undefined {
  for (const home of levelsAround(level)) {
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

/** Every state of a machine where it was written. */
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
