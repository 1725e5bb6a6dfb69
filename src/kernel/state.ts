/**
 * The state of a run: plain JSON data, equal bytes for equal events. A run is a tree of frames, stored flat by id. A
 * frame is one activation of one machine and holds its tokens, counters, facts and mailbox. `step` edits a draft of it.
 */
import type { AskStatus, Facts, Route, StateKind } from "../protocol/machine.ts";
import type { Cause, Command } from "./command.ts";
import type { Item } from "./event.ts";

export type RunState = Frozen<Draft>;

export interface Draft {
  version: 1;
  started: boolean;
  /** In order of creation. A step edits copies of the few frames that it needs: `frameOf` of turn.ts. */
  frames: Record<string, FrozenFrame>;
  /** Commands that wait for a result, oldest first. */
  open: Command[];
  /** Keys of cancelled commands: the reason why a late result of theirs is ignored. */
  cancelled: string[];
  /** Number of commands issued so far by frame and path: the `#n` of the latest key. */
  issued: Record<string, Readonly<Record<string, number>>>;
  ended: Ending | null;
}

export interface Ending {
  readonly outcome: "complete" | "halted" | "failed";
  /** Empty if an end state of the protocol was reached. */
  readonly reason: string;
}

export interface Frame {
  readonly id: string;
  readonly machine: string;
  readonly parent: Parent | null;
  token: Token;
  handler: ActiveHandler | null;
  /** Only counters that have been counted. */
  counters: Record<string, Tally>;
  facts: Record<string, Facts[string]>;
  /** The latest items of each named list. */
  lists: Record<string, readonly Item[]>;
  /** An unnamed list that no `each` has claimed yet. */
  unclaimed: readonly Item[] | null;
  /** Children by the path of their `each`. */
  children: Record<string, Child[]>;
  /** Locks among the children of this frame: the holder's id, then the queue. */
  locks: Record<string, string[]>;
  mailbox: readonly Mail[];
  session: string | null;
  round: number;
  outcome: string | null;
}

export type FrozenFrame = Frozen<Frame>;

export interface Parent {
  readonly frame: string;
  /** Path of the `each`. */
  readonly each: string;
  readonly item: string;
}

/** The running region of an event handler. */
export interface ActiveHandler {
  readonly event: string;
  /** Path of the state that declares the handler; empty for the machine's own. */
  readonly owner: readonly string[];
  readonly token: Token;
}

export interface Mail {
  readonly event: string;
  readonly causes: readonly Cause[];
}

export interface Tally {
  readonly value: number;
  /** For counters with `same`: the failure that was counted. */
  readonly signature?: string;
}

export interface Child {
  item: Item;
  /** Null until the child is started. */
  frame: string | null;
  /** Null while it runs. */
  outcome: string | null;
  causes: readonly Cause[];
  /** The state in which an ended child is reopened. */
  reopen: string | null;
  /** Its `first` route has been taken, or it was kept when the `each` was re-entered. */
  judged: boolean;
}

export interface Token {
  /** The region's name; `main` for the machine's own token, the event's name for a handler. */
  readonly name: string;
  state: string;
  kind: StateKind | null;
  phase: string | null;
  mode: string | null;
  /** The passage it arrived with. */
  entry: Passage;
  /** Counters with `scope: visit`. */
  visit: Record<string, Tally>;
  activity: Activity;
  /** For an ask: what would have come next. */
  back: Back | null;
  /** For an ask that a `first` route led to: the regions or children that continue in the background. */
  held: BackgroundWork | null;
}

export type Activity =
  | { readonly type: "idle" }
  /** A region that waits for the previous one. */
  | { readonly type: "queued" }
  | { readonly type: "working"; readonly key: string }
  | {
      readonly type: "asking";
      readonly key: string;
      readonly to: "person" | "parent";
      readonly as: AskStatus;
    }
  /** Waits for a lock held by a sibling. */
  | { readonly type: "locked" }
  /** Ready to work, but an event is handled first. */
  | { readonly type: "parked" }
  | { readonly type: "regions"; readonly regions: readonly Token[] }
  | { readonly type: "children"; readonly each: string }
  | { readonly type: "ended"; readonly outcome: string; readonly causes: readonly Cause[] };

/** What travels with a token from one state to the next. */
export interface Passage {
  readonly causes: readonly Cause[];
  readonly ctx?: string;
  readonly thread?: "continue" | "fresh";
  /** From the result being routed. */
  readonly items?: readonly Item[];
  readonly signature?: string;
  /** The state in which the children named by `items` are reopened. */
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
  /** The rest of the route that a counter cut short; it is taken on the way back. */
  readonly rest: { readonly route: Route; readonly passage: Passage } | null;
  /** If that state is an ask: its own way back. */
  readonly before: Back | null;
}

export interface BackgroundWork {
  readonly state: string;
  readonly kind: StateKind | null;
  readonly entry: Passage;
  readonly activity: Activity;
  /** Region name or item id whose end led to the ask; it restarts on the way back. */
  readonly trigger: string;
}

type Frozen<T> = T extends readonly (infer Inner)[]
  ? readonly Frozen<Inner>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
