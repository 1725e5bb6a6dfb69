/** What the code behind a gate is, and what it answers. One file per gate or family of gates in this folder. */
import type { Verdict } from "../../gates/verdict.ts";
import type { CheckCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../kernel/run-event.ts";
import type { RunContext } from "../context.ts";
import type { RecordDraft } from "../proof/draft.ts";

export interface Checking {
  readonly context: RunContext;
  readonly command: CheckCommand;
  readonly signal: AbortSignal;
}

export interface Judged {
  readonly verdict: Verdict;
  readonly facts?: readonly RunEvent[];
  readonly drafts?: readonly RecordDraft[];
  /** Id of an earlier record that proves the phase. */
  readonly proof?: string;
}

export interface Gate {
  /** Everything it may answer; a protocol that names the gate must list exactly these. */
  readonly outcomes: readonly string[];
  readonly check: (checking: Checking) => Promise<Judged>;
}

export const plainOutcomes = ["pass", "fail", "inconclusive"] as const;
