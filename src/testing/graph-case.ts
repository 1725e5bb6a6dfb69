import type { Graph } from "../memory/graph/graph.ts";
import type { GraphCall } from "../memory/graph/shapes.ts";

/** What a case of the contract of graphs gets: an empty graph, and ways to use it. */
export interface GraphSubject {
  /** Opens the same graph again, like another process. */
  open(): Promise<Graph>;
  /** Starts a process that has the graph open and waits for calls. */
  start(): Promise<GraphProcess>;
  /** How many calls a process of the longest case makes. */
  readonly calls: number;
}

export interface GraphProcess {
  /** Makes the calls one after the other, then ends. May be called once. */
  call(calls: readonly (readonly [name: GraphCall, args: unknown])[]): void;
  /** What was answered so far, in the shape of the tools. */
  readonly answers: readonly unknown[];
  /** The exit code, or null of a killed one. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

export interface GraphCase {
  readonly title: string;
  /** It takes seconds. */
  readonly isSlow?: boolean;
  check(subject: GraphSubject): Promise<void>;
}
