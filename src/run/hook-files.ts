/** Files of a state home that the referee and `mettle hook` exchange. No code, so that a hook loads it fast. */
import type { PathRules } from "../source/paths.ts";

export interface HookFacts {
  readonly version: 1;
  /** The common git directory, which identifies the repository. */
  readonly gitDir: string;
  readonly checkout: string;
  readonly run: string;
  readonly mode: string;
  readonly sid: string | null;
  readonly round: number | null;
  readonly phase: string | null;
  readonly open: OpenFacts | null;
  readonly paths: PathRules;
  /** Paths frozen with the tests, while an agent writes source. */
  readonly frozen: readonly string[];
  /** Patterns of σ₆, frozen at the run's start. */
  readonly protection: readonly string[];
}

export interface OpenFacts {
  readonly line: string;
  /** File name of the role in `.claude/agents`, without extension. */
  readonly agent: string;
  readonly label: string;
  readonly writes: string;
  /** The test files of the cycle; null outside the cycles. */
  readonly declared: readonly string[] | null;
}

export const factsFile = "referee.json";
/** Errors in hooks, one line of JSON each, deleted once read. */
export const hookErrorsFile = "hook-errors.jsonl";
/** One file per session in which the person typed Orchestrate's keyword. */
export const triggersFolder = "orchestrate-sessions";

export interface TypedKeyword {
  readonly at: string;
  /** Shown only in that session; it starts one run. */
  readonly token: string;
  /** Empty if nothing followed the keyword. */
  readonly task: string;
}

/** One file per session whose context was full or compacted. */
export const contextsFolder = "session-contexts";

/** One file per session that called the referee. */
export const sessionsFolder = "sessions";
