/** The interface of a gate's code. A merge and a rebase are gates too: the runtime runs them and gives a verdict. */
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
  /** Address of the payload for the next dispatches, instead of the verdict. */
  readonly payload?: string;
  /** The items of a following `each`, or the nodes that a route reopens. */
  readonly items?: Settlement["items"];
}

export interface Gate {
  /** All outcomes of the gate; a protocol that uses it must list exactly these. */
  readonly outcomes: readonly string[];
  /** The gate judges an agent's commit, so protected and uncommitted files are refused before it runs. */
  readonly judgesCommit?: true;
  readonly check: (request: GateRequest) => Promise<GateResult>;
}

/** Name -> code. */
export type Gates = Readonly<Record<string, Gate>>;

export const plainOutcomes = ["pass", "fail", "inconclusive"] as const;
