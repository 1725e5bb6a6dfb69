/**
 * One run in this process: its journal read and folded, and the only way to append to it. Facts, sealed records, a
 * result and the commands that follow from it are one append: after a crash either all of it happened or none.
 */
import { AppError } from "../lib/errors.ts";
import { invariant } from "../lib/assert-never.ts";
import type { SigningKey } from "../evidence/keys.ts";
import type { Journal } from "../journal/journal.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { Command } from "../kernel/command.ts";
import type { EventOf, Recorded, RunEvent } from "../kernel/run-event.ts";
import type { RunState } from "../kernel/state.ts";
import { init, step } from "../kernel/step.ts";
import type { Protocol } from "../protocol/machine.ts";
import { emptyView, foldView, type RunView } from "../views/run-view.ts";
import type { RecordDraft } from "./proof/draft.ts";
import { completedPhases } from "./phases.ts";
import { recorded } from "./list-runs.ts";
import { sealDrafts } from "./records.ts";

export interface SessionPorts {
  readonly journal: Journal;
  readonly payloads: Payloads;
  readonly key: SigningKey;
}

export type ProtocolLoader = (ref: string) => Promise<Protocol>;

/** What a finished command brings: facts seen on the way, proofs to seal, and the outcome for the kernel. */
export interface Settlement {
  readonly outcome: string;
  readonly payload?: string;
  readonly signature?: string;
  readonly items?: EventOf<"result">["items"];
  readonly by?: EventOf<"result">["by"];
  readonly text?: string;
  readonly channel?: EventOf<"result">["channel"];
  readonly facts?: readonly RunEvent[];
  /** Proofs in the order they were executed; the last one proves the phase. */
  readonly drafts?: readonly RecordDraft[];
  /** Id of an earlier record that proves the phase, where no new one was made. */
  readonly proof?: string;
}

export class Session {
  readonly run: string;
  readonly ports: SessionPorts;
  #protocol: Protocol;
  readonly #load: ProtocolLoader;
  #state: RunState;
  #view: RunView;
  #tail: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<(events: readonly Recorded[]) => void>();

  private constructor(run: string, ports: SessionPorts, start: { protocol: Protocol; load: ProtocolLoader }) {
    const { protocol, load } = start;
    this.run = run;
    this.ports = ports;
    this.#protocol = protocol;
    this.#load = load;
    this.#state = init(protocol);
    this.#view = emptyView(run);
  }

  /** Reads the run's journal; `load` reads a protocol as the run froze it, by its address. */
  static async open(run: string, ports: SessionPorts, load: ProtocolLoader): Promise<Session> {
    const events = (await ports.journal.read(run)).map(recorded);
    const started = events.find((event) => event.type === "run.started");
    if (started?.type !== "run.started")
      throw new AppError("run_unknown", `there is no run ${run}`, { hint: "`mettle status` lists the runs" });
    const session = new Session(run, ports, { protocol: await load(started.protocolRef), load });
    await session.#absorb(events);
    return session;
  }

  /** As it holds now: a person may have changed a limit. */
  get protocol(): Protocol {
    return this.#protocol;
  }

  get state(): RunState {
    return this.#state;
  }

  get view(): RunView {
    return this.#view;
  }

  /** Called with every event that becomes known, own and foreign. Returns the way to stop. */
  listen(listener: (events: readonly Recorded[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Appends facts. */
  record(facts: readonly RunEvent[]): Promise<void> {
    return this.#append(async () => facts);
  }

  /** Seals proofs that settle no command, e.g. of a branch that somebody moved while a person was asked. */
  prove(key: string, drafts: readonly RecordDraft[], facts: readonly RunEvent[]): Promise<void> {
    return this.#append(async () => {
      const sealed = await sealDrafts({ drafts, view: this.#view, key, ports: this.ports });
      return [...facts, ...sealed.map((record) => record.event)];
    });
  }

  /** Appends what a command brought. A result that the kernel does not take is journaled as ignored (CORE-11). */
  async settle(key: string, settlement: Settlement): Promise<{ readonly ignored: string | null }> {
    let ignored: string | null = null;
    await this.#append(async () => {
      const sealed = await sealDrafts({
        drafts: settlement.drafts ?? [],
        view: this.#view,
        key,
        ports: this.ports,
      });
      const before = [...(settlement.facts ?? []), ...sealed.map((record) => record.event)];
      const result = resultEvent(key, settlement);
      const moved = this.#step(result, this.#view.seq + before.length + 1);
      ignored = moved.ignored ?? null;
      if (ignored !== null)
        return [...before, { type: "result.ignored", key, outcome: settlement.outcome, why: ignored }];
      const proof = settlement.proof ?? sealed.at(-1)?.event.id ?? null;
      return [
        ...before,
        result,
        ...completedPhases({ view: this.#view, key, settlement, commands: moved.commands, proof }),
        ...moved.commands.map(issued),
        ...ending(moved.commands, this.#view),
      ];
    });
    return { ignored };
  }

  /** Ends the run at a person's wish. */
  abort(reason: string, by: EventOf<"run.aborted">["by"]): Promise<void> {
    return this.#append(async () => {
      const event: RunEvent = { type: "run.aborted", reason, ...(by === undefined ? {} : { by }) };
      const moved = this.#step(event, this.#view.seq + 1);
      return [
        event,
        ...moved.commands.map(issued),
        ...ending(moved.commands, { ...this.#view, aborted: reason }),
      ];
    });
  }

  /** Takes in what other processes appended. */
  async refresh(): Promise<void> {
    const events = await this.ports.journal.read(this.run, this.#view.seq);
    if (events.length > 0) await this.#absorb(events.map(recorded));
  }

  #step(event: RunEvent, seq: number) {
    const input = toKernel(event, seq);
    invariant(input, `${event.type} is no kernel event`);
    return step(this.#protocol, this.#state, input);
  }

  /** One append at a time; when another process was faster, its events are taken in and the append is made anew. */
  #append(make: () => Promise<readonly RunEvent[]>): Promise<void> {
    const next = this.#tail.then(async () => {
      for (let attempt = 0; attempt < 50; attempt++) {
        const events = await make();
        if (events.length === 0) return;
        try {
          const stored = await this.ports.journal.append(this.run, this.#view.seq, events.map(toNew));
          return await this.#absorb(stored.map(recorded));
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== "journal_conflict") throw error;
          await this.refresh();
        }
      }
      throw new AppError("journal_conflict", `run ${this.run} is written by another process all the time`, {
        hint: "stop the other process and try again",
        retry: "safe",
      });
    });
    this.#tail = next.catch(() => undefined);
    return next;
  }

  async #absorb(events: readonly Recorded[]): Promise<void> {
    for (const event of events) {
      if (event.type === "settings.changed") this.#protocol = await this.#load(event.protocolRef);
      const input = toKernel(event, event.seq);
      if (input) this.#state = step(this.#protocol, this.#state, input).state;
    }
    this.#view = foldView(this.#view, events);
    for (const listener of this.#listeners) listener(events);
  }
}

function toKernel(event: RunEvent, seq: number) {
  const stamp = String(seq);
  switch (event.type) {
    case "run.started":
      return { type: "start" as const, stamp };
    case "run.aborted":
      return { type: "abort" as const, stamp };
    case "result": {
      const { key, outcome, payload, signature, items } = event;
      return { type: "result" as const, key, outcome, payload, signature, items, stamp };
    }
    default:
      return null;
  }
}

function resultEvent(key: string, settlement: Settlement): EventOf<"result"> {
  const { outcome, payload, signature, items, by, text, channel } = settlement;
  return { type: "result", key, outcome, payload, signature, items, by, text, channel };
}

export function issued(command: Command): RunEvent {
  return { type: "command.issued", key: command.key, command };
}

function ending(commands: readonly Command[], view: RunView): readonly RunEvent[] {
  const finish = commands.find((command) => command.type === "finish");
  if (finish?.type !== "finish" || view.ended) return [];
  const reason =
    view.aborted ?? (finish.outcome === "complete" ? "proven" : `the protocol ended ${finish.outcome}`);
  return [{ type: "run.ended", outcome: finish.outcome, reason }];
}

function toNew(event: RunEvent): { readonly type: string; readonly data: unknown } {
  const { type, ...data } = event;
  return { type, data };
}
