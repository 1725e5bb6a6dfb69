/** Types that the parts of a walk share. */
import type { Machine, Protocol } from "../machine.ts";
import type { Spot } from "../levels.ts";
import type { WalkFrame, Memory, WalkPosition, WalkToken } from "./position.ts";

export interface World {
  readonly protocol: Protocol;
  /** The machine to explore: `main`, or one that an `each` starts. */
  readonly machine: string;
  /** Track counters exactly; otherwise each may run out at any time. */
  readonly counting: boolean;
  /** Cache of the moves from a child's position, which do not depend on the parent's other tokens. */
  readonly childMoves: Map<string, readonly FrameResult[]>;
}

/** One step of a run: a state and its outcome. */
export interface WalkStep {
  readonly machine: string;
  /** As in the kernel's commands without the frame: `state` or `parallel/region/state`. */
  readonly path: string;
  readonly state: string;
  readonly outcome: string;
  /** A counter that runs out in this step. */
  readonly trip?: string;
}

/** A successor: another position, or the end of the run. */
export interface Next {
  readonly steps: readonly WalkStep[];
  readonly to: WalkPosition | { readonly ended: string; readonly proved: boolean };
}

/** The mutually recursive parts of a walk: a frame has tokens, a token may have children. */
export interface Walker {
  readonly enter: (scope: Scope, place: EntryPoint, now: WalkState) => readonly WalkResult[];
  readonly tokenMoves: (scope: Scope, token: WalkToken, now: WalkState) => readonly WalkResult[];
  readonly beginFrame: (scope: Scope, now: WalkState) => readonly FrameResult[];
  readonly frameMoves: (scope: Scope, frame: WalkFrame, now: WalkState) => readonly FrameResult[];
}

export type EntryPoint = Pick<WalkToken, "spot" | "back" | "visit">;

export interface Scope {
  readonly walker: Walker;
  readonly world: World;
  readonly machine: Machine;
  readonly around: readonly string[];
}

/** State that changes while a token moves. */
export interface WalkState {
  readonly memory: Memory;
  readonly proved: boolean;
  readonly steps: readonly WalkStep[];
}

export type WalkMove =
  | { readonly type: "stays"; readonly token: WalkToken }
  /** Leaves its region or handler to an outer state. */
  | { readonly type: "leads out"; readonly spot: Spot }
  | { readonly type: "region ended"; readonly outcome: string }
  | { readonly type: "frame ended"; readonly outcome: string }
  | { readonly type: "resumes" };

export interface WalkResult {
  readonly now: WalkState;
  readonly moved: WalkMove;
}

export interface FrameResult {
  readonly now: WalkState;
  readonly frame: WalkFrame | { readonly ended: string };
}

export function emptyMemory({ counting }: World): Memory {
  return { tallies: counting ? {} : null, finished: {} };
}

export function stepOf({ machine }: Scope, { id, state }: Spot, outcome: string): WalkStep {
  // The kernel's paths name a handler only by its event.
  return { machine: machine.name, path: id.replace(/^(?:.*\/)?@/, ""), state: state.name, outcome };
}
