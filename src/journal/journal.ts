/**
 * The port of the event store. Two implementations, `journal/sqlite.ts` and `testing/memory-journal.ts`, pass
 * `testing/journal-contract.ts`. It knows only envelopes; the kernel and the views interpret events.
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
  /** Starts at 1, without gaps within the run. */
  readonly seq: number;
  /** ISO 8601 UTC with milliseconds, from the journal's clock. */
  readonly at: string;
}

/** Written with the events in one transaction. */
export interface SideWrites {
  readonly observations?: readonly NewObservation[];
  /** A used name throws `session_taken`, and nothing is written. */
  readonly opens?: readonly NewDialogue[];
  readonly closes?: readonly string[];
  /** The run ends with these events, so it is no longer among the open ones. */
  readonly ends?: boolean;
}

export interface RunClaim {
  readonly run: string;
  /**
   * Aborts when another process has taken the run, or the store was away for too long; the reason is the error. Whoever claimed the run
   * ends what works on it. A store of one host, which sees whether its processes live, never aborts it.
   */
  readonly lost: AbortSignal;
  /** For what is changed outside the store, such as a push. @throws claim_lost if the claim is another process's now */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/** The name of a claim in the store; run ids have no blank. */
export function claimName(run: string, part: string | undefined): string {
  return part === undefined ? run : `${run} ${part}`;
}

export interface Journal {
  /**
   * Appends all events or none, durably (fdatasync) before it resolves.
   * `after` is the seq of the last event that the caller has read; another head in the store throws `journal_conflict`.
   * Of a run that this journal claims, it writes nothing once another process has taken the claim: `claim_lost`.
   */
  append(
    run: string,
    after: number,
    events: readonly NewEvent[],
    sideWrites?: SideWrites,
  ): Promise<readonly StoredEvent[]>;
  /** Events with seq > `after`, in order. Unknown run: empty. A damaged row throws `journal_corrupt`. */
  read(run: string, after?: number): Promise<readonly StoredEvent[]>;
  /** Seq of the newest event, 0 for an unknown run. */
  head(run: string): Promise<number>;
  /** Ids of all runs, or of at most as many `newest` ones; oldest first. */
  runs(newest?: number): Promise<readonly string[]>;
  /** Ids of at most `max` runs that begin with a text, in the order of their characters. */
  runsNamed(prefix: string, max: number): Promise<readonly string[]>;
  /** Ids of the runs that no append has ended, oldest first: their number does not grow with time. */
  openRuns(): Promise<readonly string[]>;
  /** Id of the run that began last; null without a run. */
  newestRun(): Promise<string | null>;
  /**
   * Claims the run for an owner. A dead owner's claim is replaced; a living owner's throws `run_busy` with the pid.
   * @param part of the run that is claimed alone, beside its other parts: a command's key. A journal holds one claim of a run at a time.
   */
  claim(run: string, owner: Owner, part?: string): Promise<RunClaim>;
  /** The living owner of a run, or null. */
  owner(run: string): Promise<Owner | null>;
  /** Reads a cached fold. Views may be deleted at any time. */
  readView(run: string, name: string): Promise<{ readonly seq: number; readonly value: unknown } | null>;
  writeView(run: string, name: string, seq: number, value: unknown): Promise<void>;
  deleteViews(): Promise<void>;
  close(): Promise<void>;
}
