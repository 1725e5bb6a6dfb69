/** The knowledge graph of a repository, as in `@modelcontextprotocol/server-memory`, but safe for concurrent processes. */
import type { AdditionResult, Addition, Deletion, Entity, Relation } from "./shapes.ts";

export interface GraphContent {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}

/** Each call is one transaction and durable before it resolves. Results are in insertion order. */
export interface Graph {
  /** @returns the entities whose names were new */
  createEntities(entities: readonly Entity[]): Promise<readonly Entity[]>;
  /** @returns the new relations; their ends need not exist */
  createRelations(relations: readonly Relation[]): Promise<readonly Relation[]>;
  /** Throws `entity_unknown` for a missing entity and then adds nothing. */
  addObservations(additions: readonly Addition[]): Promise<readonly AdditionResult[]>;
  /** Deletes their relations too. Missing entities are ignored. */
  deleteEntities(names: readonly string[]): Promise<void>;
  deleteObservations(deletions: readonly Deletion[]): Promise<void>;
  deleteRelations(relations: readonly Relation[]): Promise<void>;
  read(): Promise<GraphContent>;
  /** Finds entities whose name, type or observation contains the query in any case, with all their relations. */
  search(query: string): Promise<GraphContent>;
  open(names: readonly string[]): Promise<GraphContent>;
  /** Adds the missing content. Duplicates within a file are kept; merging the same file again adds nothing. */
  merge(content: GraphContent, seen: SeenCounts): Promise<MergeCounts>;
  close(): Promise<void>;
}

/** How often each item occurred in the parts of one file that were merged before. */
export type SeenCounts = Map<string, number>;

export interface MergeCounts {
  readonly entities: number;
  readonly observations: number;
  readonly relations: number;
}
