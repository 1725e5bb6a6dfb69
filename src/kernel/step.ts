/**
 * The kernel: computes the next step of a run. Pure, synchronous and total: no clock, no random numbers, no I/O, and a
 * defined answer to any event in any state. A refused event changes nothing and gives the reason.
 */
import { assertNever } from "../lib/assert-never.ts";
import type { Protocol } from "../protocol/machine.ts";
import { answer, abort } from "./answer.ts";
import type { Command } from "./command.ts";
import { judgeChildren, restartChild, spawn } from "./each.ts";
import { begin, enter } from "./enter.ts";
import type { KernelEvent } from "./event.ts";
import { deliver, interrupt, nextMove, takeEvent } from "./events.ts";
import { beginFrame, endFrame, failRun, root } from "./frames.ts";
import { judgeRegions, restartRegion } from "./parallel.ts";
import { refusal, outcomeRefusal } from "./refusal.ts";
import type { Frame, RunState } from "./state.ts";
import { routeOutcome, take } from "./take.ts";
import { thaw } from "./thaw.ts";
import { frameOf, pushMoves, type Move, type Note, type Turn } from "./turn.ts";
import { stateOf, enclosing } from "./spots.ts";
import { vacate } from "./stop.ts";

export interface Step {
  readonly state: RunState;
  readonly commands: readonly Command[];
  readonly notes: readonly Note[];
  /** Ids of dialogues opened in this step. */
  readonly opened: readonly string[];
  /** Why the event was refused and changed nothing. */
  readonly ignored?: string;
}

/** A run before its `start` event. */
export function init(_protocol: Protocol): RunState {
  return { version: 1, started: false, frames: {}, open: [], cancelled: [], issued: {}, ended: null };
}

export function step(protocol: Protocol, state: RunState, event: KernelEvent): Step {
  const next = stepInPlace(protocol, state)(event);
  return next.ignored === undefined ? next : { ...next, state };
}

/** Steps one copy of a state again and again, so that a step costs nothing for frames that it does not touch. */
export function stepInPlace(protocol: Protocol, from: RunState): (event: KernelEvent) => Step {
  const work = { draft: thaw(from), copies: new Map<string, Frame>() };
  return (event) => {
    const turn = newTurn(protocol, work, event);
    const ignored = advance(turn, event);
    const { draft: state, commands, notes, opened } = turn;
    if (ignored !== null) return { state, commands: [], notes: [], opened: [], ignored };
    return { state, commands, notes, opened: [...opened] };
  };
}

/** The state after all events. One copy serves them all, so a long run is folded far sooner than by single steps. */
export function fold(
  protocol: Protocol,
  events: Iterable<KernelEvent>,
  from: RunState = init(protocol),
): RunState {
  const take = stepInPlace(protocol, from);
  let state = from;
  for (const event of events) ({ state } = take(event));
  return state;
}

function newTurn(protocol: Protocol, work: Pick<Turn, "draft" | "copies">, { stamp }: KernelEvent): Turn {
  return {
    ...work,
    protocol,
    touched: new Set(),
    stamp,
    commands: [],
    notes: [],
    agenda: [],
    stopped: new Set(),
    opened: new Set(),
  };
}

/** Makes all moves of an event. @returns why it was refused and changed nothing, or null */
function advance(turn: Turn, event: KernelEvent): string | null {
  const refused =
    refusal(turn.draft, event) ?? (event.type === "result" ? outcomeRefusal(turn, event) : null);
  if (refused !== null) return refused;
  react(turn, event);
  makeMoves(turn);
  return null;
}

function react(turn: Turn, event: KernelEvent): void {
  switch (event.type) {
    case "start":
      turn.draft.started = true;
      return beginFrame(turn, { id: root, machine: "main", parent: null, passage: { causes: [] } });
    case "result":
      return answer(turn, event);
    case "signal": {
      const { items, list } = event;
      const frame = frameOf(turn, event.frame ?? root);
      if (!frame) return;
      if (items && list !== undefined) frame.lists = { ...frame.lists, [list]: items };
      if (event.interrupts === true) interrupt(turn, frame, event.event);
      return deliver(frame, { event: event.event, causes: [] });
    }
    case "abort":
      return abort(turn, event);
    default:
      return assertNever(event);
  }
}

/** More moves than any sound protocol makes in one step. */
const maxMoves = 100_000;

function makeMoves(turn: Turn): void {
  for (let moves = 0; ; moves++) {
    const move = turn.agenda.shift() ?? nextMove(turn);
    if (!move) return;
    if (moves === maxMoves) return failRun(turn, "the protocol loops through states without doing work");
    if (isVoid(turn, move)) continue;
    makeMove(turn, move);
  }
}

function makeMove(turn: Turn, move: Move): void {
  switch (move.type) {
    case "enter":
      return enter(turn, move);
    case "begin":
      return begin(turn, move.spot);
    case "route":
      return routeOutcome(turn, move);
    case "take":
      return take(turn, move);
    case "judge":
    case "spawn":
    case "restart":
      return compose(turn, move);
    case "leave":
      return leave(turn, move);
    case "end":
      return endFrame(turn, move);
    case "event":
      return takeEvent(turn, move.frame);
    case "fail":
      return failRun(turn, move.reason);
    default:
      return assertNever(move);
  }
}

type CompositeMove = Extract<Move, { type: "judge" | "spawn" | "restart" }>;

/** While a parallel or an each runs behind an ask, nothing of it is joined or started. */
function compose(turn: Turn, move: CompositeMove): void {
  const state = stateOf(turn, move.spot);
  if (move.spot.token.held || (state?.kind !== "parallel" && state?.kind !== "each")) return;
  const { spot } = move;
  switch (move.type) {
    case "judge":
      return state.kind === "parallel" ? judgeRegions(turn, spot, state) : judgeChildren(turn, spot, state);
    case "spawn":
      return state.kind === "each" ? spawn(turn, move, state) : undefined;
    case "restart":
      return state.kind === "parallel" ? restartRegion(turn, move, state) : restartChild(turn, move);
    default:
      return assertNever(move);
  }
}

/** Whether an earlier move stopped the token or frame of this move. */
function isVoid(turn: Turn, move: Move): boolean {
  switch (move.type) {
    case "fail":
      return false;
    case "end":
    case "event":
      return turn.copies.get(move.frame.id) !== move.frame;
    default:
      return turn.stopped.has(move.spot.token);
  }
}

/** Ends the token's region, or outside regions its frame. */
function leave(turn: Turn, { spot, outcome, causes }: Extract<Move, { type: "leave" }>): void {
  const around = enclosing(spot);
  if (!around) return pushMoves(turn, { type: "end", frame: spot.frame, outcome, causes });
  vacate(turn, spot);
  spot.token.activity = { type: "ended", outcome, causes };
  pushMoves(turn, { type: "judge", spot: around });
}
