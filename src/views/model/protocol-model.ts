/** The protocol of a run as its definition has it, with where the run was and is. Only types. */

export interface MachineModel {
  readonly name: string;
  /** How often it was begun: `main` once, the machine of cycles or nodes for each of them. */
  readonly begun: number;
  /** In the order in which they are usually reached. */
  readonly steps: readonly ProtocolStepModel[];
  readonly routes: readonly RouteModel[];
}

export interface ProtocolStepModel {
  /** Unique in the machine: `plan_review/gemini/gemini`. */
  readonly id: string;
  readonly name: string;
  /** 1 within a part that goes on at the same time, or that an event begins. */
  readonly depth: number;
  readonly kind: "dispatch" | "check" | "merge" | "rebase" | "ask" | "parallel" | "each" | "event" | "end";
  /** The role, the gate, or the machine that is begun for each item. */
  readonly what: string;
  readonly phase: string | null;
  /** How often the run came here. */
  readonly times: number;
  /** How many of them go on now. */
  readonly now: number;
  /** `skipped`: the run has passed it or ended; it may still come back. */
  readonly state: "open" | "waiting" | "stopped" | "done" | "next" | "skipped";
  /** The newest outcome. */
  readonly outcome: string | null;
}

export interface RouteModel {
  readonly from: string;
  readonly to: string;
  readonly outcomes: readonly string[];
  /** How often the run went this way. */
  readonly taken: number;
}
