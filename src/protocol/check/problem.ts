/** What the checker says: a code, where, and why. */
import type { Machine, Position } from "../machine.ts";
import type { Spot } from "../places.ts";
import type { WalkStep } from "../walk/scope.ts";

export type ProblemCode =
  | "unrouted_status"
  | "unbounded_loop"
  | "unproven_complete"
  | "unreachable_state"
  | "unknown_role"
  | "unknown_template"
  | "unknown_payload"
  | "unknown_gate"
  | "unknown_counter"
  | "bad_counter"
  | "bad_join"
  | "bad_end"
  | "no_main";

export interface Problem {
  readonly code: ProblemCode;
  readonly machine: string;
  /** `state`, or `parallel/region/state`; missing where the machine itself is at fault. */
  readonly state?: string;
  readonly at: Position;
  readonly message: string;
  /** Of `unproven_complete`: how a run gets there. */
  readonly path?: readonly WalkStep[];
}

export function problemAt(machine: Machine, spot: Spot, problem: Pick<Problem, "code" | "message">): Problem {
  return {
    code: problem.code,
    machine: machine.name,
    state: spot.id,
    at: spot.state.at,
    message: problem.message,
  };
}

export function problemOf(
  machine: Machine,
  problem: Pick<Problem, "code" | "message"> & { at?: Position },
): Problem {
  return {
    code: problem.code,
    machine: machine.name,
    at: problem.at ?? machine.at,
    message: problem.message,
  };
}
