/**
 * One `step` while it runs: the draft it works on, what it has said so far, and the moves that are still to be made.
 * A part of the kernel never calls another part that could call it back; it leaves a move here.
 */
import type { Machine, Protocol, Route, StateKind } from "../protocol/machine.ts";
import type { Cause, Command } from "./command.ts";
import type { Back, Child, Draft, Frame, Passage, Token } from "./state.ts";

/** A note of the protocol (an observation by the Main Thread), at the round of that moment. */
export interface Note {
  readonly frame: string;
  readonly path: string;
  readonly session: string | null;
  readonly round: number;
  readonly text: string;
}

/** A token and where it is: the tokens of the parallels around it, outermost first. */
export interface Spot {
  readonly frame: Frame;
  readonly outer: readonly Token[];
  readonly token: Token;
  /** It belongs to the frame's event handler. */
  readonly handler: boolean;
}

export type Move =
  /** Goes to a state, which is looked up from where the token is. */
  | {
      readonly type: "enter";
      readonly spot: Spot;
      readonly state: string;
      readonly passage: Passage;
      readonly source?: Source;
    }
  /** Starts what the state is for; again after a lock or an event held it up. */
  | { readonly type: "begin"; readonly spot: Spot }
  /** Finds the route for an outcome of the token's state. */
  | { readonly type: "route"; readonly spot: Spot; readonly outcome: string; readonly passage: Passage }
  | {
      readonly type: "take";
      readonly spot: Spot;
      readonly route: Route;
      readonly passage: Passage;
      readonly trigger?: string;
      readonly back?: Back | null;
      /** A person has answered for what is left of the route: a counter that is used up starts anew and asks nobody again. */
      readonly answered?: boolean;
    }
  /** Looks at a parallel or an each: take `first`, start the next one, join. */
  | { readonly type: "judge"; readonly spot: Spot }
  | { readonly type: "spawn"; readonly spot: Spot; readonly child: Child; readonly more: readonly Cause[] }
  /** Goes on with a parallel or an each that an ask stood in front of. */
  | { readonly type: "restart"; readonly spot: Spot; readonly trigger: string; readonly passage: Passage }
  | {
      readonly type: "leave";
      readonly spot: Spot;
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

/** Where a token comes from, for an ask that leads back. */
export interface Source {
  readonly back: Back | null;
  /** What a `first` route came from. */
  readonly trigger?: string;
}

/** What names are looked up in. */
export interface Rules {
  readonly protocol: Protocol;
}

export interface Turn extends Rules {
  readonly draft: Draft;
  readonly stamp: string;
  readonly commands: Command[];
  readonly notes: Note[];
  /** Next first. */
  agenda: Move[];
  /** Tokens that were stopped in this step: moves of theirs are void. */
  readonly stopped: Set<Token>;
  /** Dialogues opened in this step. */
  readonly opened: Set<string>;
}

/** What comes next, in this order, before everything that was planned already. */
export function plan(turn: Turn, ...moves: readonly Move[]): void {
  turn.agenda = [...moves, ...turn.agenda];
}

/** A member of a record, never of its prototype: names come from agents too. */
export function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const at = { file: "", line: 0, column: 0 };
const none: Machine = { name: "", start: "", counters: {}, errors: {}, events: {}, states: {}, at };

export function machineOf(turn: Rules, frame: { readonly machine: string }): Machine {
  return own(turn.protocol.machines, frame.machine) ?? none;
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
