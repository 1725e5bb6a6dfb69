/**
 * A loaded protocol: names resolved, inheritance applied, routes normalised. Pure, JSON-serialisable data, made only by
 * `protocol/load.ts`.
 */
import type { YamlPosition } from "../lib/yaml/yaml-fault.ts";

export interface Protocol {
  readonly version: 1;
  readonly kind: "machine";
  readonly name: string;
  readonly about: string;
  /** Settings of the command line and the referee, not of routing. */
  readonly features: Readonly<Record<string, boolean>>;
  /** Number of reminders to an agent without a decision, unless its role overrides it; default one. */
  readonly reminders?: number;
  /** Names of the protocols it extends, nearest first. */
  readonly bases: readonly string[];
  readonly roles: Readonly<Record<string, Role>>;
  /** Gate name -> possible outcomes. */
  readonly gates: Readonly<Record<string, readonly string[]>>;
  /** A run starts in `main`. Without abstract machines. */
  readonly machines: Readonly<Record<string, Machine>>;
}

export interface Role {
  /** What the agent may change in its workspace: `none`, `documents`, `tests`, `source`, or a custom value. */
  readonly writes: string;
  readonly template: string;
  /** Starts without conversation, memories and settings of others. */
  readonly isolated: boolean;
  /** Display name, e.g. `Gemini` in the state line. */
  readonly label: string;
  readonly payload?: PayloadNames;
  readonly reminders?: number;
  readonly at: YamlPosition;
}

/** Name of the payload schema for all codes of a state, or by code. */
export type PayloadNames = string | Readonly<Record<string, string>>;

export interface Machine {
  readonly name: string;
  /** Kind of the dialogue that the machine opens at its start. */
  readonly session?: string;
  readonly start: string;
  readonly counters: Readonly<Record<string, Counter>>;
  /** Routes for outcomes without a route in the state; keys may have a hint. */
  readonly errors: Routes;
  readonly events: Readonly<Record<string, Handler>>;
  readonly states: Readonly<Record<string, State>>;
  readonly at: YamlPosition;
}

export interface Counter {
  /** Maximum number of attempts. Null only for the round counter `r`, which has no limit. */
  readonly limit: number | null;
  /** 1: the first attempt is 1. 0: counts extra attempts. */
  readonly from: 0 | 1;
  /** `visit`: reset when the token goes to another state. */
  readonly scope: "frame" | "visit";
  /** Counts consecutive equal failure signatures instead of attempts. */
  readonly same: boolean;
  readonly over: Route | null;
  readonly at: YamlPosition;
}

export type Routes = Readonly<Record<string, Route>>;

export interface Route {
  readonly to: Target;
  readonly do: readonly Action[];
  readonly ctx?: string;
  readonly thread?: "continue" | "fresh";
  readonly reopen?: string;
  readonly at: YamlPosition;
}

export type Target =
  | { readonly type: "state"; readonly state: string }
  | { readonly type: "self" }
  /** From an ask: continue with what would have come next. */
  | { readonly type: "back" }
  /** From an event handler: continue where the machine was. */
  | { readonly type: "resume" }
  /** `^OUT`: ends the region, or outside regions the frame. */
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
  /** Inherited unchanged from an abstract machine, so it need not be reachable. */
  readonly mayBeUnreachable?: true;
  readonly at: YamlPosition;
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
  /** Documents copied into the workspace. */
  readonly sees: readonly string[];
  /** Overrides the role's. */
  readonly template?: string;
  readonly writes?: string;
  /** Format of the answer if it is not the plain report, e.g. `plan-gemini` (gates/review-formats.ts). */
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
  /** Contents shown to the person, to which an approval is bound. */
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
