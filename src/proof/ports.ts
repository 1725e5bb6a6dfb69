/** The dependencies of every proof: folders, settings and machine facts for the record. */
import type { ProofControls } from "../config/controls-schema.ts";
import type { Tests } from "../config/tests-schema.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { Repository } from "../git/repository.ts";
import type { RunResult, RunOptions } from "../process/run.ts";

export interface ProofPorts {
  readonly repository: Repository;
  readonly payloads: Payloads;
  /** Folder of the state home for clean checkouts. */
  readonly worktrees: string;
  /** Values to mask in everything that is stored. */
  readonly secrets: readonly string[];
  /** The settings for tests. */
  readonly tests?: Tests | undefined;
  /** The controls that the settings switch off; default: all are on. */
  readonly controls?: ProofControls | undefined;
  /** Mettle's environment. Tests get only the variables that settings name, and NO_COLOR. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute path of node, the only program that starts node's runners. */
  readonly node: string;
  /** Deadline of one test run, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with a line of progress for display. */
  readonly progress?: (what: string) => void;
  /** Results of mutants by content; default: the cache of the proof. */
  readonly results?: BaselineCache;
  /** Starts the programs that run tests; default `executeProgram`. */
  readonly execute?: Executor;
  /** How programs are confined; missing: not at all. */
  readonly sandbox?: ProofSandbox;
  /**
   * Time in milliseconds since which the installed dependencies must not have changed, unless a sandbox protects them;
   * missing: not checked.
   */
  readonly dependenciesSince?: number;
}

export interface ProofSandbox {
  /** What must work: any sandbox, or one that held in each attempt of its probe; `none`: programs are confined if possible. */
  readonly least: "none" | "any" | "whole";
  /** The parent of all state homes. */
  readonly stateRoot: string;
  /** Other folders to hide. */
  readonly folders: readonly string[];
}

/** A program that runs or lists tests in a clean checkout. */
export interface ProgramStart {
  /** Absolute path of the program. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly options: RunOptions;
  /** Absolute path of the checkout's files. */
  readonly checkout: string;
  /** Absolute path of the folder that only this program writes to. */
  readonly place: string;
  /** Absolute path of a folder that programs of one checkout share. */
  readonly cache?: string;
  /** Absolute paths outside the checkout that it reads. */
  readonly reads?: readonly string[];
  /** Whether it may use the network. */
  readonly hasNetwork?: boolean;
}

export interface ProgramRun {
  readonly ran: RunResult;
  /** Both streams interleaved, unmodified. */
  readonly output: string;
}

export type Executor = (start: ProgramStart) => Promise<ProgramRun>;

/** Caches the results of a base commit's own tests, so that they run once per commit and environment (CORE-29). */
export interface BaselineCache {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
}
