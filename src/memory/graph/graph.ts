/** The knowledge graph of a repository: what `@modelcontextprotocol/server-memory` keeps, for all processes at once. */
import type { AdditionResult, Addition, Deletion, Entity, Relation } from "./shapes.ts";

export interface GraphContent {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}

/** Each call is one transaction and durable before it resolves. Orders are those of writing. */
export interface Graph {
  /** Those whose names were not there yet. */
  createEntities(entities: readonly Entity[]): Promise<readonly Entity[]>;
  /** Those that were not there yet; their ends need not exist. */
  createRelations(relations: readonly Relation[]): Promise<readonly Relation[]>;
  /** An entity that is not there is `entity_unknown`, and then nothing is added. */
  addObservations(additions: readonly Addition[]): Promise<readonly AdditionResult[]>;
  /** With every relation of theirs. What is not there is no error. */
  deleteEntities(names: readonly string[]): Promise<void>;
  deleteObservations(deletions: readonly Deletion[]): Promise<void>;
  deleteRelations(relations: readonly Relation[]): Promise<void>;
  read(): Promise<GraphContent>;
  /** Entities with the query in their name, type or an observation, in any case, and every relation of theirs. */
  search(query: string): Promise<GraphContent>;
  open(names: readonly string[]): Promise<GraphContent>;
  /** Adds what is missing; what a file holds twice is kept twice, and twice the same file adds nothing. */
  merge(content: GraphContent, seen: SeenCounts): Promise<MergeCounts>;
  close(): Promise<void>;
}

/** How often each thing stood in the parts of one file that were merged before. */
export type SeenCounts = Map<string, number>;

export interface MergeCounts {
  readonly entities: number;
  readonly observations: number;
  readonly relations: number;
}
