/** A problem found by the checker: code, position and message. */
import type { YamlPosition } from "../../lib/yaml/yaml-fault.ts";
import type { Machine } from "../machine.ts";
import type { Spot } from "../levels.ts";
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
  /** `state` or `parallel/region/state`; absent if the problem concerns the machine. */
  readonly state?: string;
  readonly at: YamlPosition;
  readonly message: string;
  /** For `unproven_complete`: the path to it. */
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
  problem: Pick<Problem, "code" | "message"> & { at?: YamlPosition },
): Problem {
  return {
    code: problem.code,
    machine: machine.name,
    at: problem.at ?? machine.at,
    message: problem.message,
  };
}
