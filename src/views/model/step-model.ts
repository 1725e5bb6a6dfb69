/** The timeline of a run: phases, their steps, and the work of agents. Only types. */
import type { VerdictWord } from "./verdict-model.ts";

export interface PhaseModel {
  /** Unique in the run: its place and name. */
  readonly id: string;
  readonly name: string;
  /** What its symbols mean; empty where the name says it. */
  readonly words: string;
  /** The node of a graph, or the cycle of riper and dptr; null otherwise. */
  readonly place: string | null;
  readonly state: "done" | "failed" | "inconclusive" | "running" | "waiting" | "stopped" | "cancelled";
  /** Keys of its steps. */
  readonly steps: readonly string[];
  /** How often its most frequent step was taken. */
  readonly attempts: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Milliseconds in which agents worked, gates judged and people were waited for. */
  readonly agentMs: number;
  readonly gateMs: number;
  readonly personMs: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  /** Ids of records. */
  readonly records: readonly string[];
}

/** One command of the kernel. */
export interface StepModel {
  readonly key: string;
  readonly kind: "dispatch" | "check" | "ask" | "merge" | "rebase" | "timer";
  /** Id of its phase. */
  readonly phase: string;
  readonly node: string | null;
  /** The role, the gate or the question. */
  readonly name: string;
  /** From 1, of the same step. */
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  /** For a step that was judged. */
  readonly verdict: VerdictWord | null;
  readonly state: "done" | "open" | "cancelled";
}

export interface DispatchModel {
  readonly key: string;
  readonly phase: string;
  readonly node: string | null;
  readonly role: string;
  readonly agent: string;
  readonly vendor: string;
  readonly attempt: number;
  readonly resumed: boolean;
  readonly isolation: string;
  readonly hosts: readonly string[] | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly outcome: string | null;
  /** What it reported. */
  readonly message: string;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly workedMs: number;
  readonly nudges: number;
  /** Addresses. */
  readonly prompt: string;
  readonly output: string | null;
  readonly outputBytes: number;
  readonly commit: string | null;
  readonly state: "done" | "open" | "cancelled";
}

/** What agents used by their own figures; null: not reported. */
export interface UsedModel {
  readonly name: string;
  readonly dispatches: number;
  readonly withoutCost: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly workedMs: number;
}

export interface SpentModel {
  readonly total: UsedModel;
  readonly roles: readonly UsedModel[];
  readonly agents: readonly UsedModel[];
}
