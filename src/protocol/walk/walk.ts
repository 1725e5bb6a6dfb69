/**
 * Walks through a protocol under every outcome: from a position to all that can follow it. It does what the kernel does,
 * with at most one item for each `each`, and without payloads, rounds and threads; a machine inside itself is not entered
 * a second time, its children may end in any way they can.
 */
import { startOf } from "../flow.ts";
import type {
  AskState,
  DispatchState,
  EachState,
  Machine,
  ParallelState,
  Protocol,
  Route,
  State,
} from "../machine.ts";
import { askedOutcome, emptyOutcome, frameOutcome, outcomesOf } from "../outcomes.ts";
import { findSpot, handlerLevel, machineLevel, regionLevel, type Spot } from "../places.ts";
import { routeFor, routeIn, wordOf } from "../routes.ts";
import {
  isEnded,
  standing,
  type Back,
  type Frame,
  type Memory,
  type Position,
  type Token,
} from "./position.ts";
import { takeRoute, type Taken } from "./take.ts";

export interface World {
  readonly protocol: Protocol;
  /** Counters are followed exactly; without, each may run out at any time. */
  readonly counting: boolean;
}

/** One step of a run: a state and the outcome it had. */
export interface WalkStep {
  readonly machine: string;
  /** As in the kernel's commands, without the frame: `state` or `parallel/region/state`. */
  readonly path: string;
  readonly state: string;
  readonly outcome: string;
  /** A counter that runs out at this step. */
  readonly trip?: string;
}

/** What follows: another position, or the end of the run. */
export interface Next {
  readonly steps: readonly WalkStep[];
  readonly to: Position | { readonly ended: string; readonly proved: boolean };
}

export function firstPositions(world: World): readonly Next[] {
  const machine = world.protocol.machines["main"];
  if (machine === undefined) return [];
  const now = { memory: emptyMemory(world), proved: false, steps: [] };
  return beginFrame({ world, machine, around: [] }, now).map(toNext);
}

export function nextPositions(world: World, { frame, proved }: Position): readonly Next[] {
  const scope = { world, machine: frame.machine, around: frame.around };
  const now = { memory: frame.memory, proved, steps: [] };
  const aborted = abort(scope, frame, now);
  return [...frameMoves(scope, frame, now), ...aborted].map(toNext);
}

const mostStepsAtOnce = 100;

interface Scope {
  readonly world: World;
  readonly machine: Machine;
  readonly around: readonly string[];
}

/** What changes while a token moves. */
interface Now {
  readonly memory: Memory;
  readonly proved: boolean;
  readonly steps: readonly WalkStep[];
}

type Moved =
  | { readonly type: "stands"; readonly token: Token }
  /** Out of its region or handler, to a state further out. */
  | { readonly type: "leads out"; readonly spot: Spot }
  | { readonly type: "region ended"; readonly outcome: string }
  | { readonly type: "frame ended"; readonly outcome: string }
  | { readonly type: "resumes" };

interface Result {
  readonly now: Now;
  readonly moved: Moved;
}

interface FrameResult {
  readonly now: Now;
  readonly frame: Frame | { readonly ended: string };
}

function toNext({ now, frame }: FrameResult): Next {
  const to = "ended" in frame ? { ended: frame.ended, proved: now.proved } : { frame, proved: now.proved };
  return { steps: now.steps, to };
}

function emptyMemory({ counting }: World): Memory {
  return { tallies: counting ? {} : null, finished: {} };
}

// Frames

function beginFrame(scope: Scope, now: Now): readonly FrameResult[] {
  const { machine, around } = scope;
  return startOf(machineLevel(machine)).flatMap((spot) => {
    const frame: Frame = { machine, around, token: standing(spot), handler: null, memory: now.memory };
    return enter(scope, { spot, back: null, visit: {} }, now).flatMap((result) => settleMain(frame, result));
  });
}

function frameMoves(scope: Scope, frame: Frame, now: Now): readonly FrameResult[] {
  // While a handler runs, the frame's own tokens are parked.
  if (frame.handler !== null) {
    return tokenMoves(scope, frame.handler, now).flatMap((result) => settleHandler(scope, frame, result));
  }
  const moves = tokenMoves(scope, frame.token, now).flatMap((result) => settleMain(frame, result));
  return [...moves, ...events(scope, frame, now)];
}

function settleMain(frame: Frame, { now, moved }: Result): readonly FrameResult[] {
  if (moved.type === "stands") return [{ now, frame: { ...frame, token: moved.token, memory: now.memory } }];
  return moved.type === "frame ended" ? [{ now, frame: { ended: moved.outcome } }] : [];
}

function settleHandler(scope: Scope, frame: Frame, result: Result): readonly FrameResult[] {
  const { now, moved } = result;
  const without = { ...frame, handler: null, memory: now.memory };
  switch (moved.type) {
    case "stands":
      return [{ now, frame: { ...without, handler: moved.token } }];
    case "resumes":
      return [{ now, frame: without }];
    case "leads out":
      return enter(scope, { spot: moved.spot, back: null, visit: {} }, now).flatMap((entered) =>
        settleMain(without, entered),
      );
    default:
      return settleMain(without, result);
  }
}

/** An event may come whenever a state of the frame, or the machine, has a handler for it. */
function events(scope: Scope, frame: Frame, now: Now): readonly FrameResult[] {
  const { machine } = scope;
  const owners = [
    ...spotsOf(frame.token).map((spot) => ({ spot, events: spot.state.events })),
    { spot: null, events: machine.events },
  ];
  return owners.flatMap(({ spot: owner, events: handlers }) =>
    Object.entries(handlers).flatMap(([event, handler]) => {
      const step = stepOf(scope, owner ?? frame.token.spot, event);
      const told = { ...now, steps: [...now.steps, step] };
      if (handler.type === "route") {
        return take(scope, { token: frame.token, route: handler.route }, told).flatMap((result) =>
          settleMain(frame, result),
        );
      }
      const level = handlerLevel(machine, { owner, event, region: handler.region });
      return startOf(level)
        .flatMap((spot) => enter(scope, { spot, back: null, visit: {} }, told))
        .flatMap((result) => settleHandler(scope, frame, result));
    }),
  );
}

function abort(scope: Scope, frame: Frame, now: Now): readonly FrameResult[] {
  const route = routeIn(scope.machine.errors, frameOutcome);
  if (route === undefined) return [];
  return follow(scope, { token: frame.token, route, outcome: frameOutcome }, now).flatMap((result) =>
    settleMain({ ...frame, handler: null }, result),
  );
}

/** Where the tokens of a frame stand, inner ones first. */
function spotsOf(token: Token): readonly Spot[] {
  const regions = [...(token.regions?.values() ?? [])];
  return [
    ...regions.flatMap((region) => (region === null || isEnded(region) ? [] : spotsOf(region))),
    token.spot,
  ];
}

// Tokens

function tokenMoves(scope: Scope, token: Token, now: Now): readonly Result[] {
  const { state } = token.spot;
  if (token.regions !== null && state.kind === "parallel") {
    return [...token.regions].flatMap(([name, region]) =>
      region === null || isEnded(region)
        ? []
        : tokenMoves(scope, region, now).flatMap((result) =>
            settleRegion(scope, { token, state, name }, result),
          ),
    );
  }
  if (token.child !== null && state.kind === "each")
    return childMoves(scope, { token, state, child: token.child }, now);
  return waysOut(scope, state).flatMap(({ outcome, route }) =>
    follow(
      scope,
      { token, route, outcome },
      { ...now, proved: provedAfter(scope, state, outcome, now.proved) },
    ),
  );
}

interface WayOut {
  readonly outcome: string;
  readonly route: Route;
}

/** Kept by state: a walk comes by often. A weak map, since protocols come and go. */
const waysByState = new WeakMap<State, readonly WayOut[]>();

/** The outcomes of a state with their routes; of those that lead on in the same way only the first. */
function waysOut(scope: Scope, state: State): readonly WayOut[] {
  const known = waysByState.get(state);
  if (known !== undefined) return known;
  const different = new Map<string, WayOut>();
  for (const outcome of outcomesOf(scope.world.protocol, scope.machine, state)) {
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
function provedAfter({ world }: Scope, state: State, outcome: string, proved: boolean): boolean {
  if (state.kind === "check") return proved || wordOf(outcome) === "pass";
  return state.kind === "dispatch" && mayWrite(world.protocol, state) ? false : proved;
}

const harmless = ["none", "documents", "review"];

function mayWrite(protocol: Protocol, state: DispatchState): boolean {
  const role = Object.hasOwn(protocol.roles, state.role) ? protocol.roles[state.role] : undefined;
  return !harmless.includes(state.writes ?? role?.writes ?? "");
}

interface Answering {
  readonly token: Token;
  readonly outcome: string;
}

function answer(scope: Scope, { token, outcome }: Answering, now: Now): readonly Result[] {
  const route = routeFor(scope.machine, token.spot.state, outcome);
  return route === undefined ? [] : follow(scope, { token, route, outcome }, now);
}

interface Following {
  readonly token: Token;
  readonly route: Route;
  readonly outcome?: string;
}

/** Takes the route of an outcome, which is told as a step. */
function follow(scope: Scope, { token, route, outcome }: Following, now: Now): readonly Result[] {
  return take(scope, { token, route }, now, (taken) => {
    const [trip] = taken.trips;
    const step = stepOf(scope, token.spot, outcome ?? "");
    return { ...now, steps: [...now.steps, trip === undefined ? step : { ...step, trip }] };
  });
}

function take(
  scope: Scope,
  { token, route }: Following,
  now: Now,
  tell = (_: Taken): Now => now,
): readonly Result[] {
  const { machine } = scope;
  const { spot, visit } = token;
  const counts = { frame: now.memory.tallies, visit };
  return takeRoute({ machine, from: spot, level: spot.level }, route, counts).flatMap((taken) => {
    const told = tell(taken);
    const memory = { ...told.memory, tallies: taken.counts.frame };
    return go(scope, { token: { ...token, visit: taken.counts.visit }, taken }, { ...told, memory });
  });
}

function go(
  scope: Scope,
  { token, taken }: { readonly token: Token; readonly taken: Taken },
  now: Now,
): readonly Result[] {
  const { to, rest } = taken;
  switch (to.type) {
    case "spot": {
      if (to.spot.level.prefix !== token.spot.level.prefix)
        return [{ now, moved: { type: "leads out", spot: to.spot } }];
      const again = to.spot.id === token.spot.id;
      const back =
        again && rest === null
          ? token.back
          : { spot: token.spot, rest, before: shortened(token.back, [token.spot.id, to.spot.id]) };
      return enter(scope, { spot: to.spot, back, visit: again ? token.visit : {} }, now);
    }
    case "joined":
      return [{ now, moved: { type: "region ended", outcome: to.outcome } }];
    case "ended":
      return [{ now, moved: { type: "frame ended", outcome: to.outcome } }];
    case "resume":
      return [{ now, moved: { type: "resumes" } }];
    case "back":
      return goBack(scope, token, now);
    case "nowhere":
      return [];
  }
}

function goBack(scope: Scope, token: Token, now: Now): readonly Result[] {
  const { back } = token;
  if (back === null) return enter(scope, token, now);
  if (back.rest !== null)
    return take(scope, { token: standing(back.spot, back.before), route: back.rest }, now);
  return enter(scope, { spot: back.spot, back: back.before, visit: {} }, now);
}

/** Going round between asks does not make the way back longer. */
function shortened(back: Back | null, ids: readonly string[]): Back | null {
  if (back === null) return null;
  const before = shortened(back.before, ids);
  return ids.includes(back.spot.id) ? before : { ...back, before };
}

function enter(scope: Scope, place: Pick<Token, "spot" | "back" | "visit">, now: Now): readonly Result[] {
  const { spot, back, visit } = place;
  const { state, level } = spot;
  // States that do nothing and lead into each other: no run gets anywhere, so no way leads on from here.
  if (now.steps.length > mostStepsAtOnce) return [];
  switch (state.kind) {
    case "end":
      return [
        {
          now,
          moved: {
            type: level.parallel === undefined ? "frame ended" : "region ended",
            outcome: state.outcome,
          },
        },
      ];
    case "parallel":
      return startRegions(scope, { ...standing(spot), visit }, state, now);
    case "each":
      return startChild(scope, { ...standing(spot), visit }, state, now);
    case "ask": {
      const token = { ...standing(spot, back), visit };
      const detour = back === null ? undefined : onlyBack(scope, state);
      // Who is only sent back is passed by at once: whatever could happen meanwhile can happen there too.
      if (detour !== undefined) return follow(scope, { token, ...detour }, now);
      return [{ now, moved: { type: "stands", token } }];
    }
    default:
      return [{ now, moved: { type: "stands", token: { ...standing(spot), visit } } }];
  }
}

/** The answer of an ask of a person that every answer leads back from, and nothing else. */
function onlyBack(scope: Scope, state: AskState): WayOut | undefined {
  const [way, ...others] = waysOut(scope, state);
  const isBack = way?.route.to.type === "back" && way.route.do.length === 0;
  return state.to === "person" && isBack && others.length === 0 ? way : undefined;
}

function stepOf({ machine }: Scope, { id, state }: Spot, outcome: string): WalkStep {
  // The kernel's paths name a handler by its event, whoever's it is.
  return { machine: machine.name, path: id.replace(/^(?:.*\/)?@/, ""), state: state.name, outcome };
}

// Regions

interface Region {
  readonly token: Token;
  readonly state: ParallelState;
  readonly name: string;
}

function startRegions(scope: Scope, token: Token, state: ParallelState, now: Now): readonly Result[] {
  const names = Object.keys(state.regions);
  const [first] = names;
  if (first === undefined) return answer(scope, { token, outcome: emptyOutcome }, now);
  const waiting = { ...token, regions: new Map(names.map((name) => [name, null])) };
  if (state.order === "one-by-one") return startRegion(scope, { token: waiting, state, name: first }, now);
  const begun: readonly Result[] = [{ now, moved: { type: "stands", token: waiting } }];
  return names.reduce(
    (results, name) =>
      results.flatMap((result) => {
        const { moved } = result;
        const isHere =
          moved.type === "stands" &&
          moved.token.spot.id === token.spot.id &&
          moved.token.regions?.get(name) === null;
        return isHere ? startRegion(scope, { token: moved.token, state, name }, result.now) : [result];
      }),
    begun,
  );
}

function startRegion(scope: Scope, region: Region, now: Now): readonly Result[] {
  const { token, state, name } = region;
  const inside = Object.hasOwn(state.regions, name) ? state.regions[name] : undefined;
  const spot =
    inside === undefined ? undefined : findSpot(regionLevel(token.spot, name, inside), inside.start);
  if (spot === undefined) return [];
  return enter(scope, { spot, back: null, visit: {} }, now).flatMap((result) =>
    settleRegion(scope, region, result),
  );
}

function settleRegion(scope: Scope, region: Region, result: Result): readonly Result[] {
  const { token, name } = region;
  const { now, moved } = result;
  switch (moved.type) {
    case "stands":
      return [
        {
          now,
          moved: {
            type: "stands",
            token: { ...token, regions: new Map(token.regions).set(name, moved.token) },
          },
        },
      ];
    case "region ended": {
      const regions = new Map(token.regions).set(name, { ended: moved.outcome });
      return judgeRegions(scope, { ...region, token: { ...token, regions } }, moved.outcome, now);
    }
    case "leads out":
      if (moved.spot.level.prefix !== token.spot.level.prefix) return [result];
      return enter(scope, { spot: moved.spot, back: null, visit: {} }, now);
    default:
      return [result];
  }
}

function judgeRegions(scope: Scope, { token, state }: Region, outcome: string, now: Now): readonly Result[] {
  const route = routeIn(state.first, outcome);
  if (route !== undefined) return follow(scope, { token, route, outcome }, now);
  const regions = [...(token.regions ?? [])];
  const ended = regions.flatMap(([, region]) => (isEnded(region) ? [region.ended] : []));
  if (ended.length === regions.length)
    return answer(scope, { token, outcome: joined(state.join, ended) }, now);
  const [next] = regions.flatMap(([name, region]) => (region === null ? [name] : []));
  if (state.order === "one-by-one" && next !== undefined)
    return startRegion(scope, { token, state, name: next }, now);
  return [{ now, moved: { type: "stands", token } }];
}

/** The worst of the outcomes by the order of `join`. */
function joined(join: readonly string[], outcomes: readonly string[]): string {
  const rank = (outcome: string) =>
    join.includes(outcome) ? join.indexOf(outcome) : join.indexOf(wordOf(outcome));
  return outcomes.toSorted((a, b) => rank(a) - rank(b))[0] ?? emptyOutcome;
}

// Children

interface Child {
  readonly token: Token;
  readonly state: EachState;
  readonly child: Frame;
}

function startChild(scope: Scope, token: Token, state: EachState, now: Now): readonly Result[] {
  const { protocol } = scope.world;
  const machine = Object.hasOwn(protocol.machines, state.machine)
    ? protocol.machines[state.machine]
    : undefined;
  const none = state.min === 0 ? answer(scope, { token, outcome: emptyOutcome }, now) : [];
  const kept = now.memory.finished[token.spot.id];
  const left = kept === undefined ? [] : judgeChild(scope, { token, state, outcome: kept }, now);
  if (machine === undefined) return [...none, ...left];
  const around = [...scope.around, scope.machine.name];
  if (around.includes(machine.name)) {
    const any = [...state.join, ...Object.keys(state.first)];
    const ended = any.flatMap((outcome) =>
      judgeChild(scope, { token, state: { ...state, keep: false }, outcome }, now),
    );
    return [...none, ...ended];
  }
  const begun = beginFrame({ ...scope, machine, around }, { ...now, memory: emptyMemory(scope.world) });
  return [
    ...none,
    ...left,
    ...begun.flatMap((result) => settleChild(scope, { token, state }, { result, memory: now.memory })),
  ];
}

function childMoves(scope: Scope, { token, state, child }: Child, now: Now): readonly Result[] {
  const inner = { world: scope.world, machine: child.machine, around: child.around };
  return frameMoves(inner, child, { ...now, memory: child.memory }).flatMap((result) =>
    settleChild(scope, { token, state }, { result, memory: now.memory }),
  );
}

function settleChild(
  scope: Scope,
  { token, state }: Omit<Child, "child">,
  { result, memory }: { readonly result: FrameResult; readonly memory: Memory },
): readonly Result[] {
  const now = { ...result.now, memory };
  const { frame } = result;
  if ("ended" in frame) return judgeChild(scope, { token, state, outcome: frame.ended }, now);
  const goesOn: Result = { now, moved: { type: "stands", token: { ...token, child: frame } } };
  const asks = spotsOf(frame.token).some((spot) => spot.state.kind === "ask" && spot.state.to === "parent");
  // Asked, the parent leads elsewhere, or answers and the child goes on.
  return asks ? [goesOn, ...judgeChild(scope, { token, state, outcome: askedOutcome }, now)] : [goesOn];
}

function judgeChild(
  scope: Scope,
  { token, state, outcome }: Omit<Child, "child"> & { readonly outcome: string },
  now: Now,
): readonly Result[] {
  const route = routeIn(state.first, outcome);
  if (route !== undefined) return follow(scope, { token, route, outcome }, now);
  const isGood = outcome !== askedOutcome && !["failed", "halted"].includes(wordOf(outcome));
  const finished =
    state.keep && isGood ? { ...now.memory.finished, [token.spot.id]: outcome } : now.memory.finished;
  return answer(scope, { token, outcome }, { ...now, memory: { ...now.memory, finished } });
}
