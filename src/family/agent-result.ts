/** What there is when an agent has done its work, before it is settled. */
import type { Agent, AgentOutcome } from "../agents/agent.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { Claim } from "../evidence/claims.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { OpenGate } from "./open-gate.ts";
import type { Settlement } from "../run/settlement.ts";
import type { Decision } from "./decision.ts";

import type { Workspace } from "./work.ts";

export interface AgentResult {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly turns: Turns;
  readonly left: WorkspaceResult;
}

export interface Turns {
  /** How the last turn ended. */
  readonly outcome: AgentOutcome;
  /** Everything the agent said, masked. */
  readonly said: string;
  /** What it said in the last turn in which it said something: where claims and verdicts are read. */
  readonly final: string;
  /** The first accepted decision, null when there was none. */
  readonly report: Decision | null;
  /** Why the last decision was refused, where none counts; null where none was given. */
  readonly refusalReason: string | null;
  /** Highest share of the context window it told of, 0 to 1. */
  readonly contextShare: number | null;
  /** A gate of a plan that ended the turn; null: none did. */
  readonly gate: OpenGate | null;
  readonly facts: readonly RunEvent[];
}

/** The agent's decision, or what stands in its place where it made none. */
export interface EffectiveDecision {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
  /** The frozen file at whose write its program gave up, since the sandbox lets it be read alone. */
  readonly tried?: string;
}

/** What a protocol family does with the work of an agent. */
export interface SettlementRules {
  /** What its decision means for the kernel. */
  readonly settle: (finished: AgentResult, decided: EffectiveDecision) => Promise<Settlement>;
  /** All that it said, in which claims are looked for. */
  readonly claimText: (finished: AgentResult) => string;
  /** Holds claims against something other than the project's tests; null: there is nothing else. */
  readonly checkClaims: (finished: AgentResult, found: readonly Claim[]) => Promise<ClaimCheck | null>;
}

export interface ClaimCheck {
  /** Claims that what was looked at does not show. */
  readonly open: readonly Claim[];
  /** What it shows instead; null where it could show nothing. */
  readonly shown: string | null;
}

export interface WorkspaceResult {
  readonly tree: string;
  /** The commit the workspace was laid from. */
  readonly base: string;
  /** Documents that differ from what was laid. */
  readonly documents: readonly { readonly name: string; readonly ref: string }[];
  /** Paths the role may not write in its workspace; their content was rescued and is not used. */
  readonly outside: readonly string[];
  /** Paths, masked, of files in which it wrote a secret; nothing of the work is kept. */
  readonly leaked: readonly string[];
  readonly facts: readonly RunEvent[];
}
