/** A refusal of a node's payload, and the facts of the tree that it rests on. */
import type { Spec } from "../../../protocol/graph-types/shared.ts";

export interface TreeFacts {
  readonly spec: Spec;
  /** The node's own id. */
  readonly node: string;
  /** 0 for the root. */
  readonly depth: number;
  /** Ids of all nodes that have begun in this run. */
  readonly nodes: readonly string[];
  readonly limits: { readonly maxDepth: number; readonly maxChildren: number; readonly maxNodes: number };
  /** The symbolic link by which a path leaves the agent's worktree as it is now, null where it stays inside. */
  readonly linkOut: (path: string) => string | null;
}

export interface Refusal {
  readonly code: string;
  /** As it is told: `payload.childSpecs`. */
  readonly field: string;
  /** Begins with the code, since the journal keeps this alone. */
  readonly why: string;
}

export type RefusalRule = (status: string, payload: unknown) => Refusal | null;

export function refusal(code: string, field: string, why: string): Refusal {
  return { code, field: `payload.${field}`, why: `${code}: ${why}` };
}

/** What is said to a payload; null where it may stand. */
export interface RefusalRules {
  /** To its paths, whatever type it has. */
  readonly paths: RefusalRule;
  /** To what the tree does not allow, where it has the type of its exit. */
  readonly tree: RefusalRule;
}
