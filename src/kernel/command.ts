import type { AskStatus, PayloadNames, Thread } from "../protocol/machine.ts";

/** What the kernel asks the engine to do: data only. The engine answers with a `result` of the same key (CORE-08). */
interface CommandBase {
  /** Unique in the run, stable under replay: `<path>#<n>`. */
  readonly key: string;
  readonly frame: string;
  /** `state`, or `parallel/region/state` in a region; a child frame's starts with its id; `cancel/<path>`, `finish`. */
  readonly path: string;
  readonly state: string;
  readonly phase?: string;
  readonly mode?: string;
  /** All counters of the frame at this moment, for display; a counter with `from: 1` starts at 1. */
  readonly counters: Readonly<Record<string, Count>>;
  /** Id of the dialogue, if the machine has one. */
  readonly session?: string;
  readonly round: number;
  /** The results that led here, newest last. */
  readonly causes: readonly Cause[];
}

export interface Count {
  readonly value: number;
  readonly limit: number | null;
}

export interface Cause {
  readonly key: string;
  readonly path: string;
  readonly outcome: string;
  readonly payload?: string;
}

export interface DispatchCommand extends CommandBase {
  readonly type: "dispatch";
  readonly role: string;
  readonly reports: readonly string[];
  readonly sees: readonly string[];
  readonly thread: Thread;
  readonly params: readonly string[];
  readonly ctx?: string;
  readonly template?: string;
  readonly writes?: string;
  readonly reply?: string;
  readonly payload?: PayloadNames;
}
export interface CheckCommand extends CommandBase {
  readonly type: "check";
  readonly gate: string;
}
export interface MergeCommand extends CommandBase {
  readonly type: "merge";
  readonly gate: string;
}
export interface RebaseCommand extends CommandBase {
  readonly type: "rebase";
  readonly gate: string;
}
export interface AskCommand extends CommandBase {
  readonly type: "ask";
  readonly text: string;
  readonly to: "person" | "parent";
  readonly as: AskStatus;
  readonly shows: readonly string[];
  readonly answers: readonly string[];
  /** The counter that ran out and led here: the breaker's `Attempts: N/max`. */
  readonly trip?: { readonly counter: string; readonly value: number; readonly limit: number };
}
/** A child frame started: the kernel runs it, the engine may prepare a workspace. Needs no result. */
export interface SpawnCommand extends CommandBase {
  readonly type: "spawn";
  readonly child: string;
  readonly machine: string;
  readonly item: string;
}
export interface TimerCommand extends CommandBase {
  readonly type: "timer";
  readonly ms: number;
}
/** Cancels the command `target`: stop its agent and save its work. Needs no result. */
export interface CancelCommand extends CommandBase {
  readonly type: "cancel";
  readonly target: string;
}
export interface FinishCommand extends CommandBase {
  readonly type: "finish";
  readonly outcome: "complete" | "halted" | "failed";
  /** Absent if an end state of the protocol was reached. */
  readonly reason?: string;
}
export type Command =
  | DispatchCommand
  | CheckCommand
  | MergeCommand
  | RebaseCommand
  | AskCommand
  | SpawnCommand
  | TimerCommand
  | CancelCommand
  | FinishCommand;
