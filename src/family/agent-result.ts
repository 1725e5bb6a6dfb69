/** The result of an agent's turns, before it is settled. */
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
  readonly harvest: Harvest;
}

export interface Turns {
  /** How the last turn ended. */
  readonly outcome: AgentOutcome;
  /** The agent's whole output, masked. */
  readonly output: string;
  /** The output of the last turn that has any; claims and verdicts are read from it. */
  readonly final: string;
  /** The first accepted decision, or null. */
  readonly decision: Decision | null;
  /** Why the last decision was refused; null if none was given or one counts. */
  readonly refusalReason: string | null;
  /** Highest reported share of the context window, 0 to 1. */
  readonly contextShare: number | null;
  /** The plan's gate that ended the turn, or null. */
  readonly gate: OpenGate | null;
  readonly facts: readonly RunEvent[];
}

/** How a protocol family settles the work of an agent. */
export interface SettlementRules {
  /** Turns the decision into an outcome for the kernel. */
  readonly settle: (finished: AgentResult, decision: Decision) => Promise<Settlement>;
  /** The output in which claims are searched. */
  readonly claimText: (finished: AgentResult) => string;
  /** Checks claims against something other than the project's tests; null if there is nothing else. */
  readonly checkClaims: (finished: AgentResult, found: readonly Claim[]) => Promise<ClaimCheck | null>;
}

export interface ClaimCheck {
  /** Claims without support. */
  readonly open: readonly Claim[];
  /** What the check found instead; null if it could not tell. */
  readonly shown: string | null;
}

/** What an agent left in its workspace. */
export interface Harvest {
  readonly tree: string;
  /** The commit that the workspace was created from. */
  readonly base: string;
  /** Documents that the agent changed. */
  readonly documents: readonly { readonly name: string; readonly ref: string }[];
  /** Changed paths that the role may not write; their content was rescued and is not used. */
  readonly outside: readonly string[];
  /** Masked paths of files with a secret; if there are any, none of the work is kept. */
  readonly leaked: readonly string[];
  readonly facts: readonly RunEvent[];
}
