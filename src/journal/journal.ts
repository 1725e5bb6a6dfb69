/**
 * The port behind which events are kept. Two implementations: `journal/sqlite.ts` and `testing/memory-journal.ts`;
 * both pass `journal/contract.ts`. It knows envelopes only: what an event means belongs to the kernel and the views.
 */
import type { Owner } from "./owner.ts";
import type { NewDialogue } from "./dialogues.ts";
import type { NewObservation } from "./observations.ts";

export interface NewEvent {
  readonly type: string;
  /** JSON value. */
  readonly data: unknown;
}

export interface StoredEvent extends NewEvent {
  readonly run: string;
  /** From 1, without gaps within the run. */
  readonly seq: number;
  /** ISO 8601 UTC with milliseconds, given by the journal's clock. */
  readonly at: string;
}

/** What is written together with events into the same store, or not at all. */
export interface Beside {
  readonly observations?: readonly NewObservation[];
  /** A name that is taken gives `session_taken`, and nothing is written. */
  readonly opens?: readonly NewDialogue[];
  readonly closes?: readonly string[];
}

export interface Claim {
  readonly run: string;
  release(): Promise<void>;
}

export interface Journal {
  /**
   * Appends all events or none, durably (fdatasync) before it resolves.
   * `after` is the seq of the last event the caller has seen; another value in the store gives `journal_conflict`.
   */
  append(
    run: string,
    after: number,
    events: readonly NewEvent[],
    beside?: Beside,
  ): Promise<readonly StoredEvent[]>;
  /** Events with seq > `after`, in order. Unknown run: empty. A damaged row throws `journal_corrupt`. */
  read(run: string, after?: number): Promise<readonly StoredEvent[]>;
  /** Seq of the newest event, 0 for an unknown run. */
  head(run: string): Promise<number>;
  /** Ids of all runs, oldest first. */
  runs(): Promise<readonly string[]>;
  /** Takes the run for this process, or throws `run_busy` with the owner's pid in message and detail. A dead owner's claim is taken over. */
  claim(run: string, owner: Owner): Promise<Claim>;
  /** The living owner of a run, if any. */
  owner(run: string): Promise<Owner | null>;
  /** A derived value that may be deleted at any time: `views` are caches of folds. */
  readView(run: string, name: string): Promise<{ readonly seq: number; readonly value: unknown } | null>;
  writeView(run: string, name: string, seq: number, value: unknown): Promise<void>;
  deleteViews(): Promise<void>;
  close(): Promise<void>;
}
