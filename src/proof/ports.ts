/** What every proof is given: where things are, and what the record says about the machine. */
import type { Tests } from "../config/tests-schema.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { Repository } from "../git/repository.ts";
import type { RunResult, RunOptions } from "../process/run.ts";

export interface ProofPorts {
  readonly repository: Repository;
  readonly payloads: Payloads;
  /** Folder of the state home in which clean checkouts are made. */
  readonly worktrees: string;
  /** Values masked in all that is kept. */
  readonly secrets: readonly string[];
  /** What the settings give to tests. */
  readonly tests?: Tests | undefined;
  /** The variables that Mettle was started with. Tests are given of them what settings name, and NO_COLOR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute path of node: the only program that runs tests. */
  readonly node: string;
  /** Deadline of one test run. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** What may be seen while it happens. */
  readonly progress?: (what: string) => void;
  /** Starts the programs that run tests; default `startProgram`. */
  readonly execute?: Executor;
}

/** A program that runs or lists tests in a clean checkout. */
export interface ProgramStart {
  /** Absolute path of the program. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly options: RunOptions;
  /** Absolute path of the checkout's files. */
  readonly checkout: string;
  /** Absolute path of the folder that this start alone writes to. */
  readonly place: string;
}

export interface ProgramRun {
  readonly ran: RunResult;
  /** Both streams in the order in which they came, as they were. */
  readonly output: string;
}

export type Executor = (start: ProgramStart) => Promise<ProgramRun>;

/** Keeps what a base commit's own tests gave, so that they run once for each commit and environment (CORE-29). */
export interface BaselineCache {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
}
