/**
 * One running `step`: its draft, its output so far, and the moves still to make. A part of the kernel never calls
 * another part that could call it back; it adds a move to the agenda instead.
 */
import type { Machine, Protocol, Route, StateKind } from "../protocol/machine.ts";
import type { Cause, Command } from "./command.ts";
import type { Back, Child, Draft, Frame, FrozenFrame, Passage, Token } from "./state.ts";
import { copyFrame } from "./thaw.ts";

/** A note of the protocol (an observation by the Main Thread) with the current round. */
export interface Note {
  readonly frame: string;
  readonly path: string;
  readonly session: string | null;
  readonly round: number;
  readonly text: string;
}

/** A token and its location: the tokens of the enclosing parallels, outermost first. */
export interface TokenSpot {
  readonly frame: Frame;
  readonly outer: readonly Token[];
  readonly token: Token;
  /** Whether it belongs to the frame's event handler. */
  readonly handler: boolean;
}

export type Move =
  /** Goes to a state, looked up from the token's location. */
  | {
      readonly type: "enter";
      readonly spot: TokenSpot;
      readonly state: string;
      readonly passage: Passage;
      readonly source?: Source;
    }
  /** Starts the state's work; again after a lock or an event delayed it. */
  | { readonly type: "begin"; readonly spot: TokenSpot }
  /** Finds the route for an outcome of the token's state. */
  | { readonly type: "route"; readonly spot: TokenSpot; readonly outcome: string; readonly passage: Passage }
  | {
      readonly type: "take";
      readonly spot: TokenSpot;
      readonly route: Route;
      readonly passage: Passage;
      readonly trigger?: string;
      readonly back?: Back | null;
      /** A person has approved the rest of the route: a counter that runs out is reset without another ask. */
      readonly answered?: boolean;
    }
  /** Checks a parallel or an each: take `first`, start the next region or child, or join. */
  | { readonly type: "judge"; readonly spot: TokenSpot }
  | {
      readonly type: "spawn";
      readonly spot: TokenSpot;
      readonly child: Child;
      readonly more: readonly Cause[];
    }
  /** Continues a parallel or an each that ran behind an ask. */
  | {
      readonly type: "restart";
      readonly spot: TokenSpot;
      readonly trigger: string;
      readonly passage: Passage;
    }
  | {
      readonly type: "leave";
      readonly spot: TokenSpot;
      readonly outcome: string;
      readonly causes: readonly Cause[];
    }
  | {
      readonly type: "end";
      readonly frame: Frame;
      readonly outcome: string;
      readonly causes: readonly Cause[];
    }
  | { readonly type: "event"; readonly frame: Frame }
  | { readonly type: "fail"; readonly reason: string };

/** Where a token comes from, for an ask with a way back. */
export interface Source {
  readonly back: Back | null;
  /** Region name or item id that triggered a `first` route. */
  readonly trigger?: string;
}

/** Where names are looked up. */
export interface Rules {
  readonly protocol: Protocol;
}

export interface Turn extends Rules {
  readonly draft: Draft;
  /** The frames of the draft that are copies already. */
  readonly copies: Map<string, Frame>;
  /** Ids of the frames that this step looked at; no other can have changed. */
  readonly touched: Set<string>;
  readonly stamp: string;
  readonly commands: Command[];
  readonly notes: Note[];
  /** Next first. */
  agenda: Move[];
  /** Tokens stopped in this step; their moves are void. */
  readonly stopped: Set<Token>;
  /** Dialogues opened in this step. */
  readonly opened: Set<string>;
}

/** Puts moves, in this order, before those already on the agenda. */
export function pushMoves(turn: Turn, ...moves: readonly Move[]): void {
  turn.agenda = [...moves, ...turn.agenda];
}

/** An own property, never one of the prototype: names also come from agents. */
export function ownEntry<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A frame of the draft, to read or change; a part of the kernel gets a frame in no other way. */
export function frameOf(turn: Turn, id: string): Frame | undefined {
  const known = turn.copies.get(id);
  if (known) {
    turn.touched.add(id);
    return known;
  }
  const frozen = ownEntry(turn.draft.frames, id);
  if (!frozen) return undefined;
  const copy = copyFrame(frozen);
  const rank = ranks.get(frozen);
  if (rank !== undefined) ranks.set(copy, rank);
  return putFrame(turn, copy);
}

/** Adds a frame. */
export function createFrame(turn: Turn, frame: Frame): void {
  ranks.set(frame, nextRank++);
  putFrame(turn, frame);
}

function putFrame(turn: Turn, frame: Frame): Frame {
  turn.draft.frames[frame.id] = frame;
  turn.copies.set(frame.id, frame);
  turn.touched.add(frame.id);
  return frame;
}

export function removeFrame(turn: Turn, id: string): void {
  delete turn.draft.frames[id];
  turn.copies.delete(id);
  turn.touched.delete(id);
}

/**
 * The frames that this step touched, and their parents, in the order of creation. No other one has to be looked at, so a step of a wide
 * tree costs no more than one of a small tree.
 */
export function touchedFrames(turn: Turn): readonly Frame[] {
  const touched = [...turn.touched];
  for (const id of touched) {
    const parent = turn.copies.get(id)?.parent;
    if (parent) frameOf(turn, parent.frame);
  }
  const frames = [...turn.touched].flatMap((id) => turn.copies.get(id) ?? []);
  if (!frames.every((frame) => ranks.has(frame)))
    for (const frame of Object.values(turn.draft.frames)) ranks.set(frame, nextRank++);
  return frames.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** Of each frame, a number that grows with its creation: a cache of the order in the state. */
const ranks = new WeakMap<FrozenFrame, number>();
let nextRank = 0;

const at = { file: "", line: 0, column: 0 };
const emptyMachine: Machine = { name: "", start: "", counters: {}, errors: {}, events: {}, states: {}, at };

export function machineOf(turn: Rules, frame: { readonly machine: string }): Machine {
  return ownEntry(turn.protocol.machines, frame.machine) ?? emptyMachine;
}

export function newToken(name: string): Token {
  const kind: StateKind | null = null;
  const entry: Passage = { causes: [] };
  return {
    name,
    state: "",
    kind,
    phase: null,
    mode: null,
    entry,
    visit: {},
    activity: { type: "idle" },
    back: null,
    held: null,
  };
}
