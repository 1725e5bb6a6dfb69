/** The files of a state home in which the referee and `mettle hook` tell each other something. No code, so a hook may load it. */

export interface HookFacts {
  readonly version: 1;
  /** The common git directory, which names the repository. */
  readonly gitDir: string;
  readonly checkout: string;
  readonly run: string;
  readonly mode: string;
  readonly sid: string | null;
  readonly round: number | null;
  readonly phase: string | null;
  readonly open: OpenFacts | null;
  readonly paths: { readonly tests: readonly string[]; readonly source: readonly string[] };
  /** Paths that were frozen with the tests, while somebody writes source. */
  readonly frozen: readonly string[];
  /** Patterns of σ₆ as they were when the run began. */
  readonly protection: readonly string[];
}

export interface OpenFacts {
  readonly line: string;
  /** The file of the role in `.claude/agents`, without its ending. */
  readonly agent: string;
  readonly label: string;
  readonly writes: string;
  /** The test files of the cycle; null outside the cycles. */
  readonly declared: readonly string[] | null;
}

export const factsFile = "referee.json";
/** One line of JSON for each error within a hook, until somebody reads them. */
export const hookErrorsFile = "hook-errors.jsonl";
/** One file for each session in which the person typed Orchestrate's keyword. */
export const triggersFolder = "orchestrate-sessions";

export interface TypedKeyword {
  readonly at: string;
  /** Told in that session alone; it starts one run. */
  readonly token: string;
  /** Empty where the keyword stood alone. */
  readonly task: string;
}

/** One file for each session whose context was full once, or was compacted. */
export const contextsFolder = "session-contexts";

/** One file for each session that called the referee. */
export const sessionsFolder = "sessions";
