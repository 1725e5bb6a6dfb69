/**
 * What a checked protocol IS once loaded: names resolved, inheritance applied, routes normalised.
 * The kernel and the views read this; only `protocol/load.ts` makes it. Pure data, JSON-serialisable.
 */
export interface Position {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

export interface Protocol {
  readonly version: 1;
  readonly kind: "machine";
  readonly name: string;
  readonly about: string;
  /** Settings of the front doors, not routes. */
  readonly features: Readonly<Record<string, boolean>>;
  /** Reminders to an agent that gives no decision, where its role says nothing else; missing: one. */
  readonly reminders?: number;
  /** Names of the protocols it extends, nearest first. */
  readonly bases: readonly string[];
  readonly roles: Readonly<Record<string, Role>>;
  /** Gate name -> the outcomes its code may answer. */
  readonly gates: Readonly<Record<string, readonly string[]>>;
  /** `main` is where a run starts. Abstract machines are left out. */
  readonly machines: Readonly<Record<string, Machine>>;
}

export interface Role {
  /** What the role's agent may change in its workspace: `none`, `documents`, `tests`, `source`, or a protocol's own word. */
  readonly writes: string;
  readonly template: string;
  /** Starts without the conversation, memories and settings of anybody else. */
  readonly isolated: boolean;
  /** The name shown for it, e.g. `Gemini` in the state line. */
  readonly label: string;
  readonly payload?: PayloadNames;
  readonly reminders?: number;
  readonly at: Position;
}

/** The schema that payloads keep to, by its name: for every code of a state, or code by code. */
export type PayloadNames = string | Readonly<Record<string, string>>;

export interface Machine {
  readonly name: string;
  /** Opens a dialogue of this kind when the machine starts. */
  readonly session?: string;
  readonly start: string;
  readonly counters: Readonly<Record<string, Counter>>;
  /** Routes for what a state does not name; keys are outcomes, with or without hint. */
  readonly errors: Routes;
  readonly events: Readonly<Record<string, Handler>>;
  readonly states: Readonly<Record<string, State>>;
  readonly at: Position;
}

export interface Counter {
  /** Tries that are permitted. `null` only for the round counter `r`, which bounds nothing. */
  readonly limit: number | null;
  /** 1: the first try is try 1. 0: counts what comes beside the first try. */
  readonly from: 0 | 1;
  /** `visit`: forgotten when the token goes to another state. */
  readonly scope: "frame" | "visit";
  /** Counts equal failure signatures in a row instead of passes. */
  readonly same: boolean;
  readonly over: Route | null;
  readonly at: Position;
}

export type Routes = Readonly<Record<string, Route>>;

export interface Route {
  readonly to: Target;
  readonly do: readonly Action[];
  readonly ctx?: string;
  readonly thread?: "continue" | "fresh";
  readonly reopen?: string;
  readonly at: Position;
}

export type Target =
  | { readonly type: "state"; readonly state: string }
  | { readonly type: "self" }
  /** From an ask: what would have come next. */
  | { readonly type: "back" }
  /** From an event handler: where the machine stood. */
  | { readonly type: "resume" }
  /** `^OUT`: ends this region, or outside regions this frame. */
  | { readonly type: "out"; readonly outcome: string }
  /** `^^OUT`: ends the frame from inside a region. */
  | { readonly type: "frame"; readonly outcome: string };

export type Action =
  | { readonly type: "count"; readonly counter: string }
  | { readonly type: "reset"; readonly counters: readonly string[] }
  | { readonly type: "set"; readonly facts: Facts }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "open"; readonly session: string }
  | { readonly type: "emit"; readonly event: string; readonly to: "siblings" | "children" };

export type Facts = Readonly<Record<string, string | number | boolean>>;

export type Handler =
  { readonly type: "route"; readonly route: Route } | { readonly type: "region"; readonly region: Region };

export interface Region {
  readonly start: string;
  readonly states: Readonly<Record<string, State>>;
}

interface StateBase {
  readonly name: string;
  readonly on: Routes;
  readonly errors: Routes;
  readonly set: Facts;
  readonly note?: string;
  readonly mode?: string;
  readonly phase?: string;
  readonly events: Readonly<Record<string, Handler>>;
  readonly lock?: string;
  /** It comes unchanged from an abstract machine: that nobody reaches it is no fault. */
  readonly spare?: true;
  readonly at: Position;
}

export type Thread =
  | { readonly type: "fresh" }
  | { readonly type: "continue" }
  | { readonly type: "fork"; readonly state: string; readonly of: "self" | "parent" };

export interface DispatchState extends StateBase {
  readonly kind: "dispatch";
  readonly role: string;
  readonly reports: readonly string[];
  readonly params: readonly string[];
  readonly ctx?: string;
  readonly thread: Thread;
  /** Documents laid into the workspace. */
  readonly sees: readonly string[];
  /** Overrides of the role. */
  readonly template?: string;
  readonly writes?: string;
  /** The format of the answer when it is not the plain report, e.g. `plan-gemini` (gates/review-formats.ts). */
  readonly reply?: string;
  /** Overrides the role's. */
  readonly payload?: PayloadNames;
}
export interface CheckState extends StateBase {
  readonly kind: "check";
  readonly gate: string;
}
export interface MergeState extends StateBase {
  readonly kind: "merge";
  readonly gate: string;
}
export interface RebaseState extends StateBase {
  readonly kind: "rebase";
  readonly gate: string;
}
export type AskStatus = "waiting" | "escalated" | "inconclusive" | "failed";
export interface AskState extends StateBase {
  readonly kind: "ask";
  readonly text: string;
  readonly to: "person" | "parent";
  readonly as: AskStatus;
  /** What the person is shown and an approval is bound to. */
  readonly shows: readonly string[];
}
export interface ParallelState extends StateBase {
  readonly kind: "parallel";
  readonly regions: Readonly<Record<string, Region>>;
  readonly order: "together" | "one-by-one";
  /** Worst first. */
  readonly join: readonly string[];
  readonly first: Routes;
}
export interface EachState extends StateBase {
  readonly kind: "each";
  readonly items: string;
  readonly machine: string;
  readonly order: "together" | "one-by-one";
  readonly join: readonly string[];
  readonly first: Routes;
  readonly keep: boolean;
  readonly min: number;
}
export type EndOutcome = "complete" | "halted" | "failed";
export interface EndState extends StateBase {
  readonly kind: "end";
  readonly outcome: string;
}
export type State =
  DispatchState | CheckState | MergeState | RebaseState | AskState | ParallelState | EachState | EndState;
export type StateKind = State["kind"];
