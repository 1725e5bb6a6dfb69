/**
 * What the engine asks of a protocol family (ADR 0019). A family is a system of protocols with its own extras: nodes, cycles
 * with a memory bank, hosted steps. The engine knows no family by name; a family knows nothing of another.
 */
import type { Settings } from "../config/settings.ts";
import type { AskCommand, Command, DispatchCommand } from "../kernel/command.ts";
import type { Calls } from "../channel/server.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { EventOf, RunEvent } from "../log/run-event.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { RunContext } from "../run/context.ts";
import type { Gates } from "./gate.ts";
import type { AgentResult, SettlementRules } from "./agent-result.ts";
import type { GateWatch } from "./open-gate.ts";
import type { PayloadRules } from "./decision.ts";
import type { Work } from "./work.ts";
import type { EvidenceRecord } from "../evidence/record.ts";
import type { OwnEvidence } from "./own-evidence.ts";
import type { PayloadKinds } from "../run/payload-kind.ts";
import type { Journaling } from "../run/session.ts";
import type { DocumentSource, PlannedWork } from "./planned.ts";
import type { Variables } from "../protocol/template.ts";
import type { StartOptions } from "./start-options.ts";

export interface Family extends Journaling, SettlementRules {
  readonly name: string;
  /** The code behind the gates that its protocols name, beside those that every protocol may name. */
  readonly gates: Gates;
  /** What its agents may hand in with a decision, beside what every protocol may name. */
  readonly payloadKinds: PayloadKinds;
  /** What its Markdown templates may name, beside what every template may. */
  readonly variableNames: readonly string[];
  /** Refuses a fault in the templates of a run that are not Markdown. @throws template_invalid */
  readonly assertTemplates: (templates: ReadonlyMap<string, string>) => void;
  /** Whether a protocol belongs to it. Read from a frozen protocol too, so a family never asks for more than it did before. */
  readonly owns: (protocol: Protocol) => boolean;
  /** @throws usage or spec_required where the family does not begin with these options */
  readonly accepts: (protocol: Protocol, options: StartOptions) => void;
  /** What of these options is journaled with the start of a run. */
  readonly started: (options: StartOptions) => Partial<EventOf<"run.started">>;
  /** Whether a run needs a project whose tests can be executed. */
  readonly needsTests: boolean;
  /** What else is journaled when a run begins. @param base the commit it begins from */
  readonly startEvents: (
    payloads: Payloads,
    options: StartOptions,
    base: string,
  ) => Promise<readonly RunEvent[]>;
  /** Before the first round of a drive, after a crash too: whatever a process that died left half done. */
  readonly prepare: (context: RunContext) => Promise<void>;
  /** Writes what people see of the run in their checkout; called after every change. */
  readonly project: (context: RunContext) => Promise<void>;
  /** Made once for each drive. */
  readonly rounds: (context: RunContext) => Rounds;
  /** The open commands to start now. @param busy keys of those that are being done */
  readonly schedule: (
    context: RunContext,
    open: readonly Command[],
    busy: ReadonlySet<string>,
  ) => readonly Command[];
  /** A dispatch was stopped because its command is open no more. @param working the dispatches that go on */
  readonly stopped: (
    context: RunContext,
    command: DispatchCommand,
    working: readonly DispatchCommand[],
  ) => Promise<void>;
  /** After the run or one of its parts has ended. */
  readonly finish: (context: RunContext) => Promise<void>;
  /** From where an agent works, and what its commit is. @param writes what its role may write here */
  readonly work: (context: RunContext, command: DispatchCommand, writes: string) => Promise<Work>;
  /** The whole prompt of a dispatch; null: the template of its role, filled with `variables` and what every role knows. */
  readonly prompt: (context: RunContext, command: DispatchCommand) => Promise<Prompt | null>;
  /** @param agent `asks`: it has the tools of the dispatch, so nothing of a dialogue is put into its prompt */
  readonly variables: (
    context: RunContext,
    command: DispatchCommand,
    agent: { readonly asks: boolean },
  ) => Promise<Variables>;
  /** The search path of an agent. @param home its home folder */
  readonly pathOf: (path: string, home: string) => string;
  /** What an agent may call at the channel of its dispatch. */
  readonly calls: (context: RunContext, command: DispatchCommand, calling: CallContext) => FamilyCalls;
  /** What the payload of a decision must be. @param path of the agent's workspace */
  readonly payloads: (context: RunContext, command: DispatchCommand, path: string) => Promise<PayloadRules>;
  /** An agent has ended, and what it said is known. */
  readonly onAgentEnded: (finished: AgentResult) => Promise<void>;
  /**
   * After how many milliseconds a silent agent is reminded while it works; it is asked again after a silent turn too (V3-49,
   * V3-50). Null: its wall time alone bounds it.
   */
  readonly silence: (settings: Settings) => number | null;
  /**
   * `ofFrame`: a role has a conversation of its own in each frame. `retold`: an agent that cannot go on in a conversation is
   * told as text what was said in it (V3-47).
   */
  readonly conversations: { readonly ofFrame: boolean; readonly replayedAsText: boolean };
  /** Whether a payload that cannot be read stops one command only, and not the run (V3-56). */
  readonly survivesBadPayload: boolean;
  /** What a run is to build, by its documents as they were at one time. */
  readonly planned: (documented: DocumentSource) => Promise<PlannedWork>;
  /** The test files that a dispatch may write; null: all that are tests. */
  readonly plannedTests: (context: RunContext, command: DispatchCommand) => Promise<readonly string[] | null>;
  /** What `mettle verify` checks beside the chain. @param records of the run, each valid by itself */
  readonly verify: (context: RunContext, records: readonly EvidenceRecord[]) => Promise<OwnEvidence>;
  /** What a person reads of a question beside its text: who asks, and what was said before. */
  readonly askContext: (context: RunContext, ask: AskCommand) => Promise<readonly string[]>;
  /** The same where a limit is used up. */
  readonly breakerContext: (context: RunContext, ask: AskCommand) => Promise<readonly string[]>;
  /** Where the tries of a part of the run are counted by itself; null: the whole run counts them. */
  readonly attemptsOf: (context: RunContext, ask: AskCommand) => Attempts | null;
  /** Whether the branch that a result lands on must be free of uncommitted changes (V3-65). */
  readonly landsClean: boolean;
}

export interface Attempts {
  readonly value: number;
  readonly limit: number | null;
  /** The commit that a reset goes back to. */
  readonly reset: string;
}

/** All families, as a run is opened with them. A protocol may name the gates, payloads and variables of any of them. */
export interface Families extends Pick<
  Family,
  "gates" | "payloadKinds" | "variableNames" | "assertTemplates"
> {
  readonly of: (protocol: Protocol) => Family;
}

export interface Prompt {
  /** All that the agent is told. */
  readonly text: string;
  /** The same without what was said before in another conversation. */
  readonly message: string;
  /** The codes the role may report, for reminders. */
  readonly codes: string;
  readonly tools: readonly string[];
  readonly model: string | null;
}

export interface CallContext {
  readonly work: Work;
  readonly isDecided: () => boolean;
  /** Ends the agent's turn where it met a gate that nobody has answered. */
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
  /** True: something was journaled, so the round begins anew. @param busy frames whose commands are being done */
  readonly before: (busy: ReadonlySet<string>) => Promise<boolean>;
  /** Before a result is journaled. */
  readonly beforeResult: () => Promise<void>;
}

/** A run with the family of its protocol. */
export interface FamilyRun extends RunContext {
  readonly family: Family;
  readonly families: Families;
}
