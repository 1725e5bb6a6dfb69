/** The dependencies for driving one run. `open-run.ts` makes it once; it is passed on as one object. */
import type { Agent } from "../agents/agent.ts";
import type { Settings } from "../config/settings.ts";
import type { StateHome } from "../config/home.ts";
import type { Repository } from "../git/repository.ts";
import type { Clock } from "../lib/clock.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent, EventOf } from "../log/run-event.ts";
import type { News } from "../journal/news.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { Executor } from "../proof/ports.ts";
import type { Protocol } from "../protocol/machine.ts";
import type { PayloadKinds } from "./payload-kind.ts";
import type { Session } from "./session.ts";

export interface RunContext {
  readonly run: string;
  readonly session: Session;
  readonly protocol: Protocol;
  readonly started: EventOf<"run.started">;
  readonly repository: Repository;
  readonly home: StateHome;
  readonly payloads: Payloads;
  readonly settings: Settings;
  /** Template name -> text, frozen at the run's start. */
  readonly templates: ReadonlyMap<string, string>;
  /** The payloads that an agent's decision may carry. */
  readonly payloadKinds: PayloadKinds;
  readonly agentOf: (command: DispatchCommand) => Promise<Agent>;
  readonly clock: Clock;
  /** What other processes append to the run; the caller ends it. */
  readonly news: () => News;
  readonly host: Host;
  /** Live progress for display; never evidence. */
  readonly progress: (event: Progress) => void;
}

/** Facts of this machine, read once at the edge. */
export interface Host {
  /** PATH for git and for agents. */
  readonly path: string;
  /** The full environment; agents get only the variables that they need or that the settings name. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret values, masked before anything is stored (CORE-48). */
  readonly secrets: readonly string[];
  /** Absolute path of node. */
  readonly node: string;
  /** Starts test programs; default `startProgram` of `src/proof/execute`. */
  readonly execute?: Executor;
}

export type Progress =
  | {
      readonly type: "agent";
      readonly key: string;
      readonly role: string;
      readonly agent: string;
      readonly what: string;
    }
  | { readonly type: "check"; readonly key: string; readonly gate: string; readonly what: string }
  | { readonly type: "event"; readonly event: RunEvent };
