/**
 * One run in this process: its journal read and folded, and the only way to append to it. Facts, sealed records, a
 * result and the commands that follow from it are one append: after a crash either all of it happened or none.
 */
import { AppError } from "../lib/errors.ts";
import { invariant } from "../lib/assert-never.ts";
import { stampOf, systemClock, type Clock } from "../lib/clock.ts";
import type { SigningKey } from "../evidence/keys.ts";
import type { Beside, Journal } from "../journal/journal.ts";
import type { NewObservation } from "../journal/observations.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { EventOf, Recorded, RunEvent } from "../log/run-event.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunState } from "../kernel/state.ts";
import { init, step, type Step } from "../kernel/step.ts";
import type { Note } from "../kernel/turn.ts";
import type { Protocol } from "../protocol/machine.ts";
import { emptyView, foldView, type RunView } from "../log/run-view.ts";
import { dialogueFacts, observedFact } from "./dialogues.ts";
import { ending, issued, resultEvent, toKernel, toNew, type Settlement } from "./settlement.ts";
import { completedPhases } from "./phases.ts";
import type { RecordDraft } from "../proof/draft.ts";
import { recorded } from "./list-runs.ts";
import { nextId, sealDrafts } from "./records.ts";

export interface SessionPorts {
  readonly journal: Journal;
  readonly payloads: Payloads;
  readonly key: SigningKey;
  /** Names the dialogues. */
  readonly clock?: Clock;
  readonly familyOf: (protocol: Protocol) => Journaling;
}

/** What a protocol family adds to an append: facts that follow from a step, and how a step is put into words. */
export interface Journaling {
  readonly facts: (change: Change, session: Session) => Promise<readonly RunEvent[]>;
  /** A dispatch as people of this family write it; null: it has no such line. */
  readonly line: (where: Issuing, command: DispatchCommand) => string | null;
  /** A note of the protocol in words. */
  readonly note: (session: Session, note: Note, proof: NoteProof | null) => Promise<string>;
}

/** One step of the kernel, before it is journaled. */
export interface Change {
  readonly before: RunState;
  readonly after: RunState;
  readonly view: RunView;
  /** Of the command whose result it was; null: another event. */
  readonly key: string | null;
  readonly settlement: Settlement;
  /** The records that came with the result. */
  readonly records: readonly EventOf<"record.written">[];
}

export interface Issuing {
  readonly session: { readonly state: RunState };
  readonly protocol: Protocol;
}

/** The record of the check whose result a note tells, and the tests that failed in it. */
export interface NoteProof {
  readonly id: string;
  readonly failing: readonly string[];
}

/** What one append holds. */
interface Batch {
  readonly events: readonly RunEvent[];
  readonly beside?: Beside;
}

export type ProtocolLoader = (ref: string) => Promise<Protocol>;

/** A node that was spawned anew inherits nothing of the one before it; what was published stands on its parent's branch. */
function standsAlone(fact: RunEvent): boolean {
  if (!fact.type.startsWith("node.")) return true;
  return fact.type === "node.merged" || (fact.type === "node.moved" && fact.by === "child");
}

/** Of one append against other processes that write, or open dialogues in the same millisecond. */
const mostTries = 1000;

export class Session {
  readonly run: string;
  readonly ports: SessionPorts;
  #protocol: Protocol;
  readonly #family: Journaling;
  readonly #load: ProtocolLoader;
  #state: RunState;
  #view: RunView;
  #tail: Promise<unknown> = Promise.resolve();
  /** Milliseconds that the next dialogue's name is moved by, where another process took the name. */
  #later = 0;
  readonly #listeners = new Set<(events: readonly Recorded[]) => void>();

  private constructor(run: string, ports: SessionPorts, start: { protocol: Protocol; load: ProtocolLoader }) {
    const { protocol, load } = start;
    this.run = run;
    this.ports = ports;
    this.#protocol = protocol;
    this.#family = ports.familyOf(protocol);
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
    return this.#append(async () => ({ events: facts }));
  }

  /** The id of the record about the commit that this command makes. The same command gets the same one again. */
  async reserve(key: string): Promise<string> {
    await this.#append(async () => ({
      events:
        this.#view.reserved[key] === undefined
          ? [{ type: "record.reserved", key, id: nextId(this.#view) }]
          : [],
    }));
    const id = this.#view.reserved[key];
    invariant(id, `a record is reserved for ${key}`);
    return id;
  }

  /** Appends an observation of an agent to its dialogue. */
  observe(entry: NewObservation): Promise<void> {
    return this.#append(async () => ({ events: [observedFact(entry)], beside: { observations: [entry] } }));
  }

  /** Tells the protocol of something that happened outside the run, after the facts that it rests on. */
  signal(signal: Omit<EventOf<"signal">, "type">, facts: readonly RunEvent[] = []): Promise<void> {
    return this.#append(() => this.#told({ type: "signal", ...signal }, { facts }));
  }

  /** Seals proofs that settle no command, e.g. of a branch that somebody moved while a person was asked. */
  prove(key: string, drafts: readonly RecordDraft[], facts: readonly RunEvent[]): Promise<void> {
    return this.#append(async () => {
      const sealed = await sealDrafts({ drafts, view: this.#view, key, ports: this.ports });
      return { events: [...facts, ...sealed.map((record) => record.event)] };
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
      const { result, moved } = this.#result(key, settlement, this.#view.seq + before.length + 1);
      ignored = moved.ignored ?? null;
      if (ignored !== null) {
        const { outcome } = settlement;
        const kept = before.filter(standsAlone);
        return { events: [...kept, { type: "result.ignored", key, outcome, why: ignored }] };
      }
      const proof = settlement.proof ?? sealed.at(-1)?.event.id ?? null;
      const records = sealed.map((record) => record.event);
      const failing = [...new Set(records.flatMap((record) => record.failing))];
      const said = await this.#say(moved, proof === null ? null : { id: proof, failing });
      const move = { view: this.#view, key, settlement };
      const change = { ...move, before: this.#state, after: moved.state, records };
      return {
        events: [
          ...before,
          result,
          ...(await this.#family.facts(change, this)),
          ...said.facts,
          ...completedPhases({ ...move, commands: moved.commands, proof }),
          ...this.#issued(moved),
          ...ending(moved.commands, this.#view, { key, settlement }),
        ],
        beside: said.beside,
      };
    });
    return { ignored };
  }

  /** Ends the run at a person's wish. */
  abort(reason: string, by: EventOf<"run.aborted">["by"]): Promise<void> {
    const event: RunEvent = { type: "run.aborted", reason, ...(by === undefined ? {} : { by }) };
    return this.#append(() => this.#told(event, { aborted: reason }));
  }

  /** Ends one node of a graph and everything below it; its parent hears of it (V3-71). */
  abortNode(ended: Omit<EventOf<"node.aborted">, "type">): Promise<void> {
    return this.#append(() => this.#told({ type: "node.aborted", ...ended }, { why: ended.reason }));
  }

  /** Takes in what other processes appended. */
  async refresh(): Promise<void> {
    const events = await this.ports.journal.read(this.run, this.#view.seq);
    if (events.length > 0) await this.#absorb(events.map(recorded));
  }

  /** A result that opens dialogues carries the time they are named by. */
  #result(key: string, settlement: Settlement, seq: number) {
    const plain = resultEvent(key, settlement);
    const first = this.#step(plain, seq);
    if (first.opened.length === 0) return { result: plain, moved: first };
    const { clock = systemClock } = this.ports;
    const result = { ...plain, stamp: stampOf(clock.now() + this.#later) };
    return { result, moved: this.#step(result, seq) };
  }

  /**
   * What comes of an event that is no command's result.
   * @param told the facts it rests on; why nodes end with it; why the run does
   */
  async #told(
    event: RunEvent,
    told: { readonly facts?: readonly RunEvent[]; readonly why?: string; readonly aborted?: string },
  ): Promise<Batch> {
    const { facts = [], why = "", aborted } = told;
    const moved = this.#step(event, this.#view.seq + facts.length + 1);
    const said = await this.#say(moved);
    const change = {
      view: this.#view,
      before: this.#state,
      after: moved.state,
      key: null,
      settlement: { outcome: "abort", text: why },
      records: [],
    };
    const view = aborted === undefined ? this.#view : { ...this.#view, aborted };
    return {
      events: [
        ...facts,
        event,
        ...(await this.#family.facts(change, this)),
        ...said.facts,
        ...this.#issued(moved),
        ...ending(moved.commands, view),
      ],
      beside: said.beside,
    };
  }

  #issued({ commands, state }: Step): readonly RunEvent[] {
    const where = { session: { state }, protocol: this.#protocol };
    return commands.map((command) =>
      issued(command, command.type === "dispatch" ? this.#family.line(where, command) : null),
    );
  }

  async #say(moved: Step, proof: NoteProof | null = null) {
    const notes = await Promise.all(moved.notes.map((note) => this.#family.note(this, note, proof)));
    return dialogueFacts({ sessions: this.#view.sessions, step: moved, notes });
  }

  #step(event: RunEvent, seq: number) {
    const input = toKernel(event, seq);
    invariant(input, `${event.type} is no kernel event`);
    return step(this.#protocol, this.#state, input);
  }

  /** One append at a time; when another process was faster, its events are taken in and the append is made anew. */
  #append(make: () => Promise<Batch>): Promise<void> {
    const next = this.#tail.then(async () => {
      for (let attempt = 0; attempt < mostTries; attempt++) {
        const { events, beside } = await make();
        if (events.length === 0) return;
        try {
          const stored = await this.ports.journal.append(this.run, this.#view.seq, events.map(toNew), beside);
          return await this.#absorb(stored.map(recorded));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (error.code === "session_taken") this.#later += 1;
          else if (error.code === "journal_conflict") await this.refresh();
          else throw error;
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
