/** The location of a token: its path, the states in its scope, the tokens around and below it. */
import type { Handler, Region, State } from "../protocol/machine.ts";
import type { Activity, Frame, Token } from "./state.ts";
import { machineOf, ownEntry, type Rules, type TokenSpot } from "./turn.ts";

type States = Readonly<Record<string, State>>;

export interface StateMatch {
  readonly state: State;
  /** The level of the state: the token to move is `outer[depth]`, beyond that the token itself; -1 leaves a handler. */
  readonly depth: number;
}

/** The nearest state of this name: in the region, else an enclosing region, else the machine. */
export function findState(turn: Rules, spot: TokenSpot, name: string): StateMatch | null {
  const levels = levelsOf(turn, spot);
  const handlers = spot.handler ? 1 : 0;
  for (let index = levels.length - 1; index >= 0; index--) {
    const state = ownEntry(levels[index] ?? {}, name);
    if (state) return { state, depth: index - handlers };
  }
  return null;
}

export function stateOf(turn: Rules, spot: TokenSpot): State | null {
  return findState(turn, spot, spot.token.state)?.state ?? null;
}

function levelsOf(turn: Rules, spot: TokenSpot): readonly States[] {
  const levels: States[] = [machineOf(turn, spot.frame).states];
  if (spot.handler) levels.push(handlerRegion(turn, spot.frame)?.states ?? {});
  for (const [index, token] of spot.outer.entries()) {
    const inner = spot.outer[index + 1] ?? spot.token;
    const parallel = nearest(levels, compositeName(token));
    levels.push(
      (parallel?.kind === "parallel" ? ownEntry(parallel.regions, inner.name)?.states : undefined) ?? {},
    );
  }
  return levels;
}

function nearest(levels: readonly States[], name: string): State | undefined {
  for (const states of levels.toReversed()) {
    const state = ownEntry(states, name);
    if (state) return state;
  }
  return undefined;
}

/** Name of the state whose regions or children the token has, also while they run behind an ask. */
export function compositeName(token: {
  readonly state: string;
  readonly held: { readonly state: string } | null;
}): string {
  return token.held?.state ?? token.state;
}

/** The activity of that state, also while it runs behind an ask. */
export function compositeActivity(token: Token): Activity {
  return token.held?.activity ?? token.activity;
}

export function handlerRegion(turn: Rules, frame: Frame): Region | null {
  if (!frame.handler) return null;
  const { owner, event } = frame.handler;
  const handler = ownEntry(eventsAt(turn, frame, owner), event);
  return handler?.type === "region" ? handler.region : null;
}

/** The handlers at `owner`: a state, or parallel, region, state and so on; the machine's if it is empty. */
function eventsAt(turn: Rules, frame: Frame, owner: readonly string[]): Readonly<Record<string, Handler>> {
  const machine = machineOf(turn, frame);
  const [first, ...rest] = owner;
  if (first === undefined) return machine.events;
  const levels: States[] = [machine.states];
  let state = ownEntry(machine.states, first);
  for (let index = 0; index + 1 < rest.length; index += 2) {
    levels.push(
      (state?.kind === "parallel" ? ownEntry(state.regions, rest[index] ?? "")?.states : undefined) ?? {},
    );
    state = nearest(levels, rest[index + 1] ?? "");
  }
  return state?.events ?? {};
}

/** `state` or `parallel/region/state`, prefixed by the event in a handler and by the frame id in a child frame. */
export function pathOf(spot: TokenSpot, state: string = spot.token.state): string {
  const { frame, outer, token, handler } = spot;
  const around = outer.flatMap((each, index) => [compositeName(each), (outer[index + 1] ?? token).name]);
  return [
    ...(frame.parent ? [frame.id] : []),
    ...(handler ? [frame.handler?.event ?? ""] : []),
    ...around,
    state,
  ].join("/");
}

export function mainSpot(frame: Frame): TokenSpot {
  return { frame, outer: [], token: frame.token, handler: false };
}

/** The token of the enclosing parallel. */
export function enclosing(spot: TokenSpot): TokenSpot | null {
  const token = spot.outer.at(-1);
  return token ? { ...spot, outer: spot.outer.slice(0, -1), token } : null;
}

export function spotAtDepth(spot: TokenSpot, depth: number): TokenSpot {
  const token = spot.outer[depth];
  return token ? { ...spot, outer: spot.outer.slice(0, depth), token } : spot;
}

/** All tokens of a frame, outer ones first, the handler's last. */
export function spotsOf(frame: Frame): readonly TokenSpot[] {
  const main = below(mainSpot(frame));
  if (!frame.handler) return main;
  return [...main, ...below({ frame, outer: [], token: frame.handler.token, handler: true })];
}

/** A token and all tokens of its regions. */
export function below(spot: TokenSpot): readonly TokenSpot[] {
  const activity = compositeActivity(spot.token);
  if (activity.type !== "regions") return [spot];
  const outer = [...spot.outer, spot.token];
  return [spot, ...activity.regions.flatMap((token) => below({ ...spot, outer, token }))];
}

/** The token of the command's frame that waits for its result. */
export function waitingFor(frame: Frame | undefined, key: string): TokenSpot | null {
  const spots = frame ? spotsOf(frame) : [];
  return (
    spots.find(({ token: { activity } }) => {
      const waits = activity.type === "working" || activity.type === "asking";
      return waits && activity.key === key;
    }) ?? null
  );
}

/** The each with this path, while the parent's token is in it. */
export function eachOf(frame: Frame, path: string): TokenSpot | null {
  return (
    spotsOf(frame).find((spot) => {
      const activity = compositeActivity(spot.token);
      return activity.type === "children" && activity.each === path;
    }) ?? null
  );
}
