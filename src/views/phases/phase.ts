import type { PhaseNote } from "./phase-note.ts";

/** The commands of a run that are one line for people. */
export interface Phase {
  readonly name: string;
  /** The graph's node, or null. */
  readonly node: string | null;
  /** Keys of its commands. */
  readonly keys: readonly string[];
  /** What is printed below its line, oldest first. */
  readonly notes: readonly PhaseNote[];
  /** Ids of the records whose blocks are printed. */
  readonly records: readonly string[];
}
