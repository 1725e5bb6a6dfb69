/**
 * What the code behind a gate is, and what it answers. One file per gate or family of gates in this folder. A merge and
 * a rebase are gates too: the runtime does and verifies them, and answers with a verdict.
 */
import type { Verdict } from "../gates/verdict.ts";
import type { CheckCommand, MergeCommand, RebaseCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { RecordDraft } from "../proof/draft.ts";
import type { Settlement } from "../run/settlement.ts";

export type GateCommand = CheckCommand | MergeCommand | RebaseCommand;

export interface GateRequest {
  readonly context: RunContext;
  readonly command: GateCommand;
  readonly signal: AbortSignal;
}

export interface GateResult {
  readonly verdict: Verdict;
  readonly facts?: readonly RunEvent[];
  readonly drafts?: readonly RecordDraft[];
  /** Id of an earlier record that proves the phase. */
  readonly proof?: string;
  /** Address of what the next dispatches are given in place of the verdict. */
  readonly payload?: string;
  /** What an `each` that follows iterates over, or whom a route reopens. */
  readonly items?: Settlement["items"];
}

export interface Gate {
  /** Everything it may answer; a protocol that names the gate must list exactly these. */
  readonly outcomes: readonly string[];
  /** It judges a commit of an agent's work, so files that are protected or in no commit are refused before it runs. */
  readonly judgesCommit?: true;
  readonly check: (checking: GateRequest) => Promise<GateResult>;
}

/** Name -> code. */
export type Gates = Readonly<Record<string, Gate>>;

export const plainOutcomes = ["pass", "fail", "inconclusive"] as const;
