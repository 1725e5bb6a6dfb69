/** The refusal of a node's payload, and the facts of the tree that the rules use. */
import type { Spec } from "../../../protocol/graph-types/shared.ts";

export interface TreeFacts {
  readonly spec: Spec;
  /** The node's own id. */
  readonly node: string;
  /** 0 for the root. */
  readonly depth: number;
  /** Ids of all nodes that have started in this run. */
  readonly nodes: readonly string[];
  readonly limits: { readonly maxDepth: number; readonly maxChildren: number; readonly maxNodes: number };
  /** The symbolic link by which a path leaves the agent's worktree; null if it stays inside. */
  readonly linkOut: (path: string) => string | null;
}

export interface Refusal {
  readonly code: string;
  /** As it is printed: `payload.childSpecs`. */
  readonly field: string;
  /** Begins with the code, because the journal stores only this text. */
  readonly why: string;
}

export type RefusalRule = (status: string, payload: unknown) => Refusal | null;

export function refusal(code: string, field: string, why: string): Refusal {
  return { code, field: `payload.${field}`, why: `${code}: ${why}` };
}

/** Rules for a payload; each returns null if the payload is allowed. */
export interface RefusalRules {
  /** Checks the paths in a payload of any type. */
  readonly paths: RefusalRule;
  /** Checks a payload of the right type against the limits of the tree. */
  readonly tree: RefusalRule;
}
