/** Moves a token to a state and starts the state's work. */
import type { State } from "../protocol/machine.ts";
import { startChildren } from "./each.ts";
import { acquire } from "./locks.ts";
import { startRegions } from "./parallel.ts";
import { issue } from "./issue.ts";
import type { Frame, BackgroundWork } from "./state.ts";
import { dropHandler, vacate } from "./stop.ts";
import { frameOf, pushMoves, type Move, type Source, type TokenSpot, type Turn } from "./turn.ts";
import { eachOf, enclosing, findState, mainSpot, pathOf, spotAtDepth, stateOf } from "./spots.ts";

export function enter(
  turn: Turn,
  { spot: from, state: name, passage, source }: Extract<Move, { type: "enter" }>,
): void {
  const found = findState(turn, from, name);
  if (!found)
    return pushMoves(turn, { type: "fail", reason: `machine ${from.frame.machine} has no state ${name}` });
  const { state } = found;
  const spot = state.kind === "ask" ? from : outTo(turn, from, found.depth);
  const { token, frame } = spot;
  const held = state.kind === "ask" ? backgroundOf(turn, spot, source) : null;
  if (held) token.activity = { type: "idle" };
  else vacate(turn, spot);
  if (token.state !== name) token.visit = {};
  token.state = name;
  token.held = held;
  token.entry = passage;
  token.back = state.kind === "ask" ? (source?.back ?? null) : null;
  label(turn, spot, state);
  frame.facts = { ...frame.facts, ...state.set };
  if (state.note !== undefined) note(turn, spot, state.note);
  begin(turn, spot);
}

export function begin(turn: Turn, spot: TokenSpot): void {
  const { frame, token } = spot;
  const state = stateOf(turn, spot);
  if (!state)
    return pushMoves(turn, { type: "fail", reason: `machine ${frame.machine} has no state ${token.state}` });
  if (state.lock !== undefined && !acquire(turn, frame, state.lock)) {
    token.activity = { type: "locked" };
    return;
  }
  switch (state.kind) {
    case "parallel":
      return startRegions(turn, spot, state);
    case "each":
      return startChildren(turn, spot, state);
    case "end":
      return pushMoves(turn, { type: "leave", spot, outcome: state.outcome, causes: token.entry.causes });
    case "ask":
      issue(turn, spot, state);
      return state.to === "parent" ? notifyParent(turn, frame) : undefined;
    default:
      if (!spot.handler && isInterrupted(frame)) token.activity = { type: "parked" };
      else issue(turn, spot, state);
  }
}

/** Events are handled before the next agent, gate or git operation starts. */
function isInterrupted(frame: Frame): boolean {
  return frame.handler !== null || frame.mailbox.length > 0;
}

export function note(turn: Turn, spot: TokenSpot, text: string): void {
  const { id, session, round } = spot.frame;
  turn.notes.push({ frame: id, path: pathOf(spot), session, round, text });
}

/** Leaves regions or a handler up to the level of the state, and stops what it leaves. */
function outTo(turn: Turn, from: TokenSpot, depth: number): TokenSpot {
  if (depth >= 0) return spotAtDepth(from, depth);
  dropHandler(turn, from.frame);
  return mainSpot(from.frame);
}

/** An ask stops no work: regions and children that a `first` route left continue in the background. */
function backgroundOf(turn: Turn, spot: TokenSpot, source: Source | undefined): BackgroundWork | null {
  const { token } = spot;
  if (token.held) return token.held;
  if (source?.trigger === undefined) return null;
  const state = stateOf(turn, spot);
  if (state?.kind !== "parallel" && (state?.kind !== "each" || state.keep)) return null;
  const { state: name, kind, entry, activity } = token;
  return { state: name, kind, entry, activity, trigger: source.trigger };
}

/** A state without labels inherits those of the enclosing state, an ask those of the state before it. */
function label(turn: Turn, { frame, token, outer, handler }: TokenSpot, state: State): void {
  const around = enclosing({ frame, token, outer, handler })?.token ?? parentToken(turn, frame);
  const before = state.kind === "ask" ? token : null;
  token.kind = state.kind;
  token.phase = state.phase ?? before?.phase ?? around?.phase ?? null;
  token.mode = state.mode ?? before?.mode ?? around?.mode ?? null;
}

function parentToken(turn: Turn, frame: Frame) {
  const parent = frame.parent && frameOf(turn, frame.parent.frame);
  return parent && frame.parent ? eachOf(parent, frame.parent.each)?.token : undefined;
}

function notifyParent(turn: Turn, frame: Frame): void {
  const parent = frame.parent && frameOf(turn, frame.parent.frame);
  const spot = parent && frame.parent ? eachOf(parent, frame.parent.each) : null;
  if (spot) pushMoves(turn, { type: "judge", spot });
}
