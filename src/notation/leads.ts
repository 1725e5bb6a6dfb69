/** Where a status code leads, according to the protocol's routes. Pure. */
import { assertNever } from "../lib/assert-never.ts";
import type { DispatchState, Machine, Protocol, Route, State } from "../protocol/machine.ts";
import { allSpots, findSpot, type Spot } from "../protocol/levels.ts";
import { routeFor } from "../protocol/routes.ts";
import { statusCodes, type StatusCode } from "./status-line.ts";

export interface Lead {
  readonly machine: string;
  readonly state: string;
  /** Who reports the code: `Ω₃ᴾ`, or `QA at ℜ`. */
  readonly agent: string;
  readonly code: string;
  /** Description of the target: a state, a gate, a person, the end. */
  readonly to: string;
}

/** One lead for each dispatch that may report the code. */
export function leadsOf(protocol: Protocol, code: string): readonly Lead[] {
  return Object.values(protocol.machines).flatMap((machine) =>
    allSpots(machine).flatMap((spot): readonly Lead[] => {
      const { state } = spot;
      if (state.kind !== "dispatch" || !codesOf(state).includes(code)) return [];
      const route = routeFor(machine, state, code);
      if (route === undefined) return [];
      const to = unique(follow(protocol, { machine, spot, route }, [])).join("; ");
      return [{ machine: machine.name, state: spot.id, agent: agentOf(protocol, state), code, to }];
    }),
  );
}

/** Every code that a dispatch of the protocol may report, in the order of `statuses`. */
export function codesIn(protocol: Protocol): readonly string[] {
  const used = new Set(dispatchesOf(protocol).flatMap(codesOf));
  return [...statusCodes.filter((code) => used.delete(code)), ...used];
}

const universalCodes: readonly StatusCode[] = ["ME", "TO", "EX", "BL"];

function codesOf({ reports }: DispatchState): readonly string[] {
  return [...reports, ...universalCodes];
}

/** QA and DE have no mode: they are the roles of Ω₅ᵀ. The state is added if several states share the name. */
function agentOf(protocol: Protocol, state: DispatchState): string {
  const name = shortName(protocol, state);
  const alike = dispatchesOf(protocol).filter((other) => shortName(protocol, other) === name);
  return alike.some((other) => other.name !== state.name) ? `${name} (${state.name})` : name;
}

function shortName({ roles }: Protocol, { mode, role, phase }: DispatchState): string {
  const name = mode ?? roles[role]?.label ?? role;
  return phase === undefined ? name : `${name} at ${phase}`;
}

function dispatchesOf({ machines }: Protocol): readonly DispatchState[] {
  return Object.values(machines).flatMap((machine) =>
    allSpots(machine).flatMap(({ state }) => (state.kind === "dispatch" ? [state] : [])),
  );
}

interface Step {
  readonly machine: Machine;
  readonly spot: Spot;
  readonly route: Route;
}

/** @param passed outcomes on the current path: none is followed twice */
function follow(protocol: Protocol, step: Step, passed: readonly string[]): readonly string[] {
  const { machine, spot, route } = step;
  const { to, ctx } = route;
  switch (to.type) {
    case "state": {
      const next = findSpot(spot.level, to.state);
      const shown = next === undefined ? to.state : stateText(protocol, next.state, ctx);
      return [shown, ...overLimit(protocol, step)];
    }
    case "self":
      return [stateText(protocol, spot.state, ctx)];
    case "back":
    case "resume":
      return ["back to where it stood"];
    case "out":
      return spot.level.parallel === undefined
        ? frameEnds(protocol, machine, { outcome: to.outcome, passed })
        : regionEnds(protocol, step, to.outcome, passed);
    case "frame":
      return frameEnds(protocol, machine, { outcome: to.outcome, passed });
    default:
      return assertNever(to);
  }
}

/** Where the route leads when its counter has reached the limit. */
function overLimit(protocol: Protocol, { machine, spot, route }: Step): readonly string[] {
  return route.do.flatMap((action) => {
    const counter = action.type === "count" ? machine.counters[action.counter] : undefined;
    if (action.type !== "count" || !counter?.over || counter.over.to.type !== "state") return [];
    const next = findSpot(spot.level, counter.over.to.state);
    if (next === undefined) return [];
    return [`past the limit of ${action.counter} ${stateText(protocol, next.state)}`];
  });
}

interface Ending {
  readonly outcome: string;
  readonly passed: readonly string[];
}

/** The run ends, or every `each` that runs this machine continues. */
function frameEnds(protocol: Protocol, machine: Machine, { outcome, passed }: Ending): readonly string[] {
  const key = `${machine.name} ${outcome}`;
  if (passed.includes(key)) return [];
  const callers = Object.values(protocol.machines).flatMap((caller) =>
    allSpots(caller).flatMap((spot) =>
      spot.state.kind === "each" && spot.state.machine === machine.name ? [{ machine: caller, spot }] : [],
    ),
  );
  if (callers.length === 0) return [`the run ends ${outcome}`];
  return callers.flatMap((caller) => joinEnds(protocol, caller, { outcome, passed: [...passed, key] }));
}

function regionEnds(
  protocol: Protocol,
  { machine, spot }: Step,
  outcome: string,
  passed: readonly string[],
): readonly string[] {
  const parallel = allSpots(machine).find(({ id }) => id === spot.level.parallel);
  const key = `${machine.name} ${spot.level.parallel ?? ""} ${outcome}`;
  if (parallel === undefined || passed.includes(key)) return [];
  return joinEnds(protocol, { machine, spot: parallel }, { outcome, passed: [...passed, key] });
}

/** The route of a state that waits for several frames: for the first outcome, or once all have ended. */
function joinEnds(
  protocol: Protocol,
  { machine, spot }: Omit<Step, "route">,
  { outcome, passed }: Ending,
): readonly string[] {
  const route = routeFor(machine, spot.state, outcome);
  if (route === undefined) return [];
  const ways = follow(protocol, { machine, spot, route }, passed);
  if (!waitsForAll(spot.state, route) || ways.length === 0) return ways;
  return [`once all ${nameOf(spot.state)} are through, ${ways.join("; ")}`];
}

function waitsForAll(state: State, route: Route): boolean {
  return (state.kind === "each" || state.kind === "parallel") && Object.values(state.on).includes(route);
}

function nameOf(state: State): string {
  return state.kind === "each" ? state.items : state.name;
}

function stateText(protocol: Protocol, state: State, ctx?: string): string {
  switch (state.kind) {
    case "dispatch": {
      const context = ctx ?? state.ctx;
      return `${agentOf(protocol, state)}${context === undefined ? "" : ` with CTX:${context}`}`;
    }
    case "check":
    case "merge":
    case "rebase":
      return `the gate ${state.gate}`;
    case "ask":
      return `a person: ${state.text}`;
    case "each":
      return `${state.mode ?? firstOf(protocol, state.machine)} for each of ${state.items}`;
    case "parallel":
      return state.name;
    case "end":
      return `the run ends ${state.outcome}`;
    default:
      return assertNever(state);
  }
}

function firstOf(protocol: Protocol, name: string): string {
  const machine = protocol.machines[name];
  const state = machine?.states[machine.start];
  return state === undefined ? name : stateText(protocol, state);
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
