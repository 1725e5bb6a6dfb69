/**
 * What the engine asks of a protocol family (ADR 0019). A family is a system of protocols with its own extras: nodes, cycles
 * with a memory bank, hosted steps. The engine knows no family by name; a family knows nothing of another.
 */
import type { Command, DispatchCommand } from "../kernel/command.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { RunContext } from "./context.ts";
import type { Journaling } from "./session.ts";
import { takesTaskAlone, type StartOptions } from "./start-options.ts";

export interface Family extends Journaling {
  readonly name: string;
  /** Whether a protocol belongs to it. Read from a frozen protocol too, so a family never asks for more than it did before. */
  readonly owns: (protocol: Protocol) => boolean;
  /** @throws usage or spec_required where the family does not begin with these options */
  readonly accepts: (protocol: Protocol, options: StartOptions) => void;
  /** What else is journaled when a run begins. @param base the commit it begins from */
  readonly began: (payloads: Payloads, options: StartOptions, base: string) => Promise<readonly RunEvent[]>;
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
}

const nothing = (): Promise<void> => Promise.resolve();

/** A protocol that belongs to no family. */
export const plain: Family = {
  name: "plain",
  owns: () => true,
  accepts: takesTaskAlone,
  began: () => Promise.resolve([]),
  prepare: nothing,
  project: nothing,
  rounds: () => ({ before: () => Promise.resolve(false), beforeResult: nothing }),
  schedule: (_, open) => open,
  stopped: nothing,
  finish: nothing,
  facts: () => Promise.resolve([]),
  line: () => null,
  note: (_, { text }) => Promise.resolve(text),
};
