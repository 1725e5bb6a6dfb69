/**
 * The state of a run: plain JSON data, equal bytes for equal events. A run is a tree of frames, kept flat by id; a frame
 * is one activation of one machine and holds its tokens, counters, facts and mailbox. `step` works on a draft of it.
 */
import type { AskStatus, Facts, Route, StateKind } from "../protocol/machine.ts";
import type { Cause, Command } from "./command.ts";
import type { Item } from "./event.ts";

export type RunState = Frozen<Draft>;

export interface Draft {
  version: 1;
  started: boolean;
  /** In the order of their making. */
  frames: Record<string, Frame>;
  /** Commands that wait for a result, oldest first. */
  open: Command[];
  /** Keys of commands that were cancelled: a late result of theirs is ignored with that reason. */
  cancelled: string[];
  /** How many commands each path of a frame has been given in this run: the `#n` of the next key. */
  issued: Record<string, Readonly<Record<string, number>>>;
  ended: Ending | null;
}

export interface Ending {
  readonly outcome: "complete" | "halted" | "failed";
  /** Empty where the protocol itself led here. */
  readonly reason: string;
}

export interface Frame {
  readonly id: string;
  readonly machine: string;
  readonly parent: Parent | null;
  token: Token;
  handler: Handling | null;
  /** Only counters that moved. */
  counters: Record<string, Tally>;
  facts: Record<string, Facts[string]>;
  /** The latest items of each list, and a list that no `each` has taken yet. */
  lists: Record<string, readonly Item[]>;
  unclaimed: readonly Item[] | null;
  /** Children by the path of their `each`. */
  children: Record<string, Child[]>;
  /** Locks among the children of this frame: who holds it, then who waits. */
  locks: Record<string, string[]>;
  mailbox: readonly Mail[];
  session: string | null;
  round: number;
  outcome: string | null;
}

export interface Parent {
  readonly frame: string;
  /** Path of the `each`. */
  readonly each: string;
  readonly item: string;
}

/** The region of an event handler, while it runs. */
export interface Handling {
  readonly event: string;
  /** Where in the machine the handler stands: empty for the machine's own. */
  readonly owner: readonly string[];
  readonly token: Token;
}

export interface Mail {
  readonly event: string;
  readonly causes: readonly Cause[];
}

export interface Tally {
  readonly value: number;
  /** Of counters with `same`: the failure that was counted. */
  readonly signature?: string;
}

export interface Child {
  item: Item;
  /** Null until its turn comes. */
  frame: string | null;
  /** How it ended. */
  outcome: string | null;
  causes: readonly Cause[];
  /** The state where an ended child begins again. */
  reopen: string | null;
  /** A `first` route has fired for it, or it was left alone when the `each` was entered again. */
  judged: boolean;
}

export interface Token {
  /** The region's name; `main` for the machine's own token, the event's name for a handler. */
  readonly name: string;
  state: string;
  kind: StateKind | null;
  phase: string | null;
  mode: string | null;
  /** With what it came here. */
  entry: Passage;
  /** Counters with `scope: visit`. */
  visit: Record<string, Tally>;
  activity: Activity;
  /** Of an ask: what would have come next. */
  back: Back | null;
  /** Of an ask that a `first` route led to: what goes on beside it. */
  held: Held | null;
}

export type Activity =
  | { readonly type: "idle" }
  /** A region that waits for the one before it. */
  | { readonly type: "queued" }
  | { readonly type: "working"; readonly key: string }
  | {
      readonly type: "asking";
      readonly key: string;
      readonly to: "person" | "parent";
      readonly as: AskStatus;
    }
  /** Waits for a lock that a sibling holds. */
  | { readonly type: "locked" }
  /** Ready to work, but an event comes first. */
  | { readonly type: "parked" }
  | { readonly type: "regions"; readonly regions: readonly Token[] }
  | { readonly type: "children"; readonly each: string }
  | { readonly type: "ended"; readonly outcome: string; readonly causes: readonly Cause[] };

/** What travels with a token from one state to the next. */
export interface Passage {
  readonly causes: readonly Cause[];
  readonly ctx?: string;
  readonly thread?: "continue" | "fresh";
  /** Of the result that is being routed. */
  readonly items?: readonly Item[];
  readonly signature?: string;
  /** The state where the children that `items` names begin again. */
  readonly reopen?: string;
  /** The counter that ran out. */
  readonly trip?: Trip;
}

export interface Trip {
  readonly counter: string;
  readonly value: number;
  readonly limit: number;
}

export interface Back {
  readonly state: string;
  readonly entry: Passage;
  /** The route that a counter cut short: the rest of it is taken on the way back. */
  readonly rest: { readonly route: Route; readonly passage: Passage } | null;
  /** Where that state is an ask: its own way back. */
  readonly before: Back | null;
}

export interface Held {
  readonly state: string;
  readonly kind: StateKind | null;
  readonly entry: Passage;
  readonly activity: Activity;
  /** Name of the region, or id of the item, whose end led to the ask: it begins again on the way back. */
  readonly trigger: string;
}

type Frozen<T> = T extends readonly (infer Inner)[]
  ? readonly Frozen<Inner>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
