/** What the parts of a walk share: where they are, what changes meanwhile, and what comes out. */
import type { Machine, Protocol } from "../machine.ts";
import type { Spot } from "../places.ts";
import type { Frame, Memory, Position, Token } from "./position.ts";

export interface World {
  readonly protocol: Protocol;
  /** The machine to walk through: `main`, or one that an `each` starts. */
  readonly machine: string;
  /** Counters are followed exactly; without, each may run out at any time. */
  readonly counting: boolean;
  /** What follows from a child's position, kept: it is the same wherever its parent's other tokens stand. */
  readonly childMoves: Map<string, readonly FrameResult[]>;
}

/** One step of a run: a state and the outcome it had. */
export interface WalkStep {
  readonly machine: string;
  /** As in the kernel's commands, without the frame: `state` or `parallel/region/state`. */
  readonly path: string;
  readonly state: string;
  readonly outcome: string;
  /** A counter that runs out at this step. */
  readonly trip?: string;
}

/** What follows: another position, or the end of the run. */
export interface Next {
  readonly steps: readonly WalkStep[];
  readonly to: Position | { readonly ended: string; readonly proved: boolean };
}

/** The parts of a walk that call each other in a circle: a frame has tokens, a token may have children. */
export interface Walker {
  readonly enter: (scope: Scope, place: Place, now: Now) => readonly Result[];
  readonly tokenMoves: (scope: Scope, token: Token, now: Now) => readonly Result[];
  readonly beginFrame: (scope: Scope, now: Now) => readonly FrameResult[];
  readonly frameMoves: (scope: Scope, frame: Frame, now: Now) => readonly FrameResult[];
}

export type Place = Pick<Token, "spot" | "back" | "visit">;

export interface Scope {
  readonly walker: Walker;
  readonly world: World;
  readonly machine: Machine;
  readonly around: readonly string[];
}

/** What changes while a token moves. */
export interface Now {
  readonly memory: Memory;
  readonly proved: boolean;
  readonly steps: readonly WalkStep[];
}

export type Moved =
  | { readonly type: "stands"; readonly token: Token }
  /** Out of its region or handler, to a state further out. */
  | { readonly type: "leads out"; readonly spot: Spot }
  | { readonly type: "region ended"; readonly outcome: string }
  | { readonly type: "frame ended"; readonly outcome: string }
  | { readonly type: "resumes" };

export interface Result {
  readonly now: Now;
  readonly moved: Moved;
}

export interface FrameResult {
  readonly now: Now;
  readonly frame: Frame | { readonly ended: string };
}

export function emptyMemory({ counting }: World): Memory {
  return { tallies: counting ? {} : null, finished: {} };
}

export function stepOf({ machine }: Scope, { id, state }: Spot, outcome: string): WalkStep {
  // The kernel's paths name a handler by its event, whoever's it is.
  return { machine: machine.name, path: id.replace(/^(?:.*\/)?@/, ""), state: state.name, outcome };
}
