/**
 * The interface between the engine and a protocol family (ADR 0019). A family is a system of protocols with extras: nodes,
 * cycles with a memory bank, hosted steps. The engine knows no family by name, and no family knows another.
 */
import type { Settings } from "../config/settings.ts";
import type { AskCommand, Command, DispatchCommand } from "../kernel/command.ts";
import type { Calls } from "../channel/server.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { EventOf, RunEvent } from "../log/run-event.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { RunContext } from "../run/context.ts";
import type { Gates } from "./gate.ts";
import type { Handover } from "./handover.ts";
import type { AgentResult, SettlementRules } from "./agent-result.ts";
import type { GateWatch } from "./open-gate.ts";
import type { PayloadRules } from "./decision.ts";
import type { Work } from "./work.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import type { OwnEvidence } from "./own-evidence.ts";
import type { PayloadKinds } from "../run/payload-kind.ts";
import type { AppendHooks } from "../run/session.ts";
import type { DocumentSource, PlannedWork } from "./planned.ts";
import type { Variables } from "../protocol/template.ts";
import type { StartOptions } from "./start-options.ts";

export interface Family extends AppendHooks, SettlementRules {
  readonly name: string;
  /** The gates that only its protocols have. */
  readonly gates: Gates;
  /** The payload kinds that only its protocols have. */
  readonly payloadKinds: PayloadKinds;
  /** The variables that only its Markdown templates have. */
  readonly variableNames: readonly string[];
  /** Checks the templates that are not Markdown. @throws template_invalid */
  readonly assertTemplates: (templates: ReadonlyMap<string, string>) => void;
  /** Whether the protocol belongs to this family. Must stay true for the frozen protocols of old runs. */
  readonly owns: (protocol: Protocol) => boolean;
  /** Checks the options of a new run. @throws usage or spec_required */
  readonly accepts: (protocol: Protocol, options: StartOptions) => void;
  /** The fields of `run.started` that come from these options. */
  readonly started: (options: StartOptions) => Partial<EventOf<"run.started">>;
  /** Whether a run needs a project whose tests can be executed. */
  readonly needsTests: boolean;
  /** Further events of a run's start. @param base the commit it begins from */
  readonly startEvents: (
    payloads: Payloads,
    options: StartOptions,
    base: string,
  ) => Promise<readonly RunEvent[]>;
  /** Called before the first command is done: cleans up after a process that died. @param again the commands that may be done again */
  readonly prepare: (context: RunContext, again: readonly Command[]) => Promise<void>;
  /** Writes the run's files in the person's checkout; called after every change. */
  readonly writeDocuments: (context: RunContext) => Promise<void>;
  /** Called once per drive. */
  readonly rounds: (context: RunContext) => Rounds;
  /** Selects the open commands to start now. @param busy keys of the running commands */
  readonly schedule: (
    context: RunContext,
    open: readonly Command[],
    busy: ReadonlySet<string>,
  ) => readonly Command[];
  /** Called when a dispatch was stopped because its command is closed. @param working the dispatches that continue */
  readonly stopped: (
    context: RunContext,
    command: DispatchCommand,
    working: readonly DispatchCommand[],
  ) => Promise<void>;
  /** Called when the run or one of its parts has ended. */
  readonly finish: (context: RunContext) => Promise<void>;
  /** The commit and folder of a dispatch, and the kind of its commit. @param writes what its role may write */
  readonly work: (context: RunContext, command: DispatchCommand, writes: string) => Promise<Work>;
  /** The whole prompt of a dispatch; null to fill the role's template with `variables` and the common variables. */
  readonly prompt: (context: RunContext, command: DispatchCommand) => Promise<Prompt | null>;
  /** @param agent `asks`: it can query its dialogue by a tool, so the prompt has none of it */
  readonly variables: (
    context: RunContext,
    command: DispatchCommand,
    agent: { readonly asks: boolean },
  ) => Promise<Variables>;
  /** The search path of an agent. @param home its home folder */
  readonly pathOf: (path: string, home: string) => string;
  /** The family's calls on the channel of a dispatch. */
  readonly calls: (context: RunContext, command: DispatchCommand, calling: CallContext) => FamilyCalls;
  /** The rules for payloads. @param path of the agent's workspace */
  readonly payloads: (context: RunContext, command: DispatchCommand, path: string) => Promise<PayloadRules>;
  /** Called when an agent has ended and before its work is settled. */
  readonly onAgentEnded: (finished: AgentResult) => Promise<void>;
  /** Milliseconds of silence before an agent is reminded, during or after its turn (V3-49, 50); null: no limit. */
  readonly silence: (settings: Settings) => number | null;
  /**
   * `ofFrame`: a role has one conversation per frame. `replayedAsText`: an agent that cannot resume a conversation gets its
   * transcript (V3-47).
   */
  readonly conversations: { readonly ofFrame: boolean; readonly replayedAsText: boolean };
  /** Whether an unreadable payload stops only its command and not the run (V3-56). */
  readonly survivesBadPayload: boolean;
  /** The work that a run is to do, by its documents at one time. */
  readonly planned: (documented: DocumentSource) => Promise<PlannedWork>;
  /** The test files that a dispatch may write; null for all tests. */
  readonly plannedTests: (context: RunContext, command: DispatchCommand) => Promise<readonly string[] | null>;
  /** What `mettle verify` checks besides the chain. @param records of the run, each already verified */
  readonly verify: (context: RunContext, records: readonly EvidenceRecord[]) => Promise<OwnEvidence>;
  /** Lines that are printed with a question or a breaker: its author and the discussion before it. */
  readonly askContext: (context: RunContext, ask: AskCommand) => Promise<readonly string[]>;
  /** The attempts of one part of the run; null if they are counted for the whole run. */
  readonly attemptsOf: (context: RunContext, ask: AskCommand) => Attempts | null;
  /** For work that is in one checkout, so that one worker at a time does the whole run; null: workers do its commands. */
  readonly handover: Handover | null;
  /** Whether the branch that a result lands on must be free of uncommitted changes (V3-65). */
  readonly landsClean: boolean;
}

export interface Attempts {
  readonly value: number;
  readonly limit: number | null;
  /** The commit that a reset returns to. */
  readonly reset: string;
}

/** All families of an open run. A protocol may use the gates, payloads and variables of each. */
export interface Families extends Pick<
  Family,
  "gates" | "payloadKinds" | "variableNames" | "assertTemplates"
> {
  readonly of: (protocol: Protocol) => Family;
}

export interface Prompt {
  /** The full text for the agent. */
  readonly text: string;
  /** The text without the transcript of another conversation. */
  readonly message: string;
  /** The codes the role may report, for reminders. */
  readonly codes: string;
  readonly tools: readonly string[];
  readonly model: string | null;
}

export interface CallContext {
  readonly work: Work;
  readonly isDecided: () => boolean;
  /** Ends the agent's turn at an unanswered gate. */
  readonly gates: GateWatch;
}

export interface FamilyCalls {
  /** Adds to the dialogue of the dispatch. */
  readonly speaker?: ((content: string) => Promise<string>) | null;
  readonly dialogue?: Calls | null;
  readonly payloads?: Calls | null;
  readonly envoy: Calls | null;
}

export interface Rounds {
  /** @param busy frames with running commands. @returns true if something was journaled, so the round restarts */
  readonly before: (busy: ReadonlySet<string>) => Promise<boolean>;
  /** Called before a result is journaled. */
  readonly beforeResult: () => Promise<void>;
}

/** A run with the family of its protocol. */
export interface FamilyRun extends RunContext {
  readonly family: Family;
  readonly families: Families;
}
