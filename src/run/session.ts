/**
 * One run opened in this process: its folded journal, and the only way to append to it. Facts, sealed records, a result
 * and the commands that follow are one atomic append.
 */
import { AppError } from "../lib/errors.ts";
import { invariant } from "../lib/assert-never.ts";
import { stampOf, systemClock, type Clock } from "../lib/clock.ts";
import type { KeyLoader } from "../evidence/keys.ts";
import type { TrustedKeys } from "../evidence/trusted-keys.ts";
import type { SideWrites, Journal } from "../journal/journal.ts";
import type { NewObservation } from "../journal/observations.ts";
import type { Payloads } from "../journal/payloads.ts";
import type { EventOf, Recorded, RunEvent } from "../log/run-event.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { KernelEvent } from "../kernel/event.ts";
import type { RunState } from "../kernel/state.ts";
import { fold, init, step, type Step } from "../kernel/step.ts";
import type { Note } from "../kernel/turn.ts";
import type { Protocol } from "../protocol/machine.ts";
import { emptyView, foldView, type RunView } from "../log/run-view.ts";
import { dialogueFacts, observedFact } from "./dialogues.ts";
import { endEvents, issuedEvent, resultEvent, toKernel, toNewEvent, type Settlement } from "./settlement.ts";
import { completedPhases } from "./phases.ts";
import type { RecordDraft } from "../proof/draft.ts";
import { recorded } from "./list-runs.ts";
import { permittedEvents, type Permits } from "./people/decide.ts";
import { nextId, sealDrafts } from "./records.ts";

export interface SessionPorts {
  readonly journal: Journal;
  readonly payloads: Payloads;
  readonly key: KeyLoader;
  /** The keys by which the run's records are verified. */
  readonly trusted: () => Promise<TrustedKeys>;
  /** Time source for dialogue names. */
  readonly clock?: Clock;
  readonly familyOf: (protocol: Protocol) => AppendHooks;
  /** Who may decide; missing where no person decides. */
  readonly permits?: Permits;
}

/** What a protocol family adds to an append: facts that follow from a step, and texts for dispatches and notes. */
export interface AppendHooks {
  readonly facts: (change: Change, session: Session) => Promise<readonly RunEvent[]>;
  /** A dispatch in the family's wire form, or null. */
  readonly line: (where: IssueContext, command: DispatchCommand) => string | null;
  /** The text of a protocol's note. */
  readonly note: (session: Session, note: Note, proof: NoteProof | null) => Promise<string>;
}

/** One step of the kernel, before it is journaled. */
export interface Change {
  readonly before: RunState;
  readonly after: RunState;
  readonly view: RunView;
  /** Key of the command with the result; null for another event. */
  readonly key: string | null;
  readonly settlement: Settlement;
  /** The records of the result. */
  readonly records: readonly EventOf<"record.written">[];
}

export interface IssueContext {
  readonly session: { readonly state: RunState };
  readonly protocol: Protocol;
}

/** The record of the check that a note reports, and its failing tests. */
export interface NoteProof {
  readonly id: string;
  readonly failing: readonly string[];
}

/** The content of one append. */
interface Batch {
  readonly events: readonly RunEvent[];
  readonly sideWrites?: SideWrites;
}

export type ProtocolLoader = (ref: string) => Promise<Protocol>;

/** Whether to keep a fact of an ignored result: a respawned node inherits nothing but merges on its parent's branch. */
function isKeptWithoutResult(fact: RunEvent): boolean {
  if (!fact.type.startsWith("node.")) return true;
  return fact.type === "node.merged" || (fact.type === "node.moved" && fact.by === "child");
}

/** Attempts of one append against other writing processes, or dialogues opened in the same millisecond. */
const maxAttempts = 1000;

export class Session {
  readonly run: string;
  readonly ports: SessionPorts;
  #protocol: Protocol;
  readonly #family: AppendHooks;
  readonly #load: ProtocolLoader;
  #state: RunState;
  #view: RunView;
  #tail: Promise<unknown> = Promise.resolve();
  /** Milliseconds added to the name of the next dialogue, because another process used the earlier names. */
  #stampOffsetMs = 0;
  readonly #listeners = new Set<(events: readonly Recorded[]) => void>();
  #beforeCommits: () => Promise<void> = () => Promise.resolve();

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

  /**
   * Reads the run's journal.
   * @param load reads the run's frozen protocol by its address
   * @param known the events that the caller has read, from the first one on
   */
  static async open(
    run: string,
    ports: SessionPorts,
    load: ProtocolLoader,
    known: readonly Recorded[] = [],
  ): Promise<Session> {
    const newer = await ports.journal.read(run, known.at(-1)?.seq ?? 0);
    const events = [...known, ...newer.map(recorded)];
    const started = events.find((event) => event.type === "run.started");
    if (started?.type !== "run.started")
      throw new AppError("run_unknown", `there is no run ${run}`, { hint: "`mettle status` lists the runs" });
    const session = new Session(run, ports, { protocol: await load(started.protocolRef), load });
    await session.#absorb(events);
    return session;
  }

  /** The current protocol: a person may have changed a limit. */
  get protocol(): Protocol {
    return this.#protocol;
  }

  get state(): RunState {
    return this.#state;
  }

  get view(): RunView {
    return this.#view;
  }

  /** Calls the listener with all new events, own and other processes'. Returns a function that unsubscribes. */
  listen(listener: (events: readonly Recorded[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls this before it takes over events of other processes that name commits, which another host may have made (SCL-04). */
  fetchFirst(fetch: () => Promise<void>): void {
    this.#beforeCommits = fetch;
  }

  /** For what is done before it is journaled. @throws not_permitted, token_unknown */
  async assertMay(gate: string): Promise<void> {
    await this.ports.permits?.assert([gate]);
  }

  /** Appends facts. */
  record(facts: readonly RunEvent[]): Promise<void> {
    return this.#append(async () => ({ events: facts }));
  }

  /** Reserves the id of the record for this command's commit. Idempotent per command. */
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
    return this.#append(async () => ({
      events: [observedFact(entry)],
      sideWrites: { observations: [entry] },
    }));
  }

  /** Signals an outside event to the protocol, after the facts that it depends on. */
  signal(signal: Omit<EventOf<"signal">, "type">, facts: readonly RunEvent[] = []): Promise<void> {
    return this.#append(() => this.#eventBatch({ type: "signal", ...signal }, { facts }));
  }

  /** Seals proofs that settle no command, e.g. of a branch moved during an ask. */
  prove(key: string, drafts: readonly RecordDraft[], facts: readonly RunEvent[]): Promise<void> {
    return this.#append(async () => {
      const sealed = await sealDrafts({ drafts, view: this.#view, key, ports: this.ports });
      return { events: [...facts, ...sealed.map((record) => record.event)] };
    });
  }

  /** Appends a command's settlement. A result that the kernel refuses is journaled as ignored (CORE-11). */
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
        const kept = before.filter(isKeptWithoutResult);
        return { events: [...kept, { type: "result.ignored", key, outcome, why: ignored }] };
      }
      const proof = settlement.proof ?? sealed.at(-1)?.event.id ?? null;
      const records = sealed.map((record) => record.event);
      const failing = [...new Set(records.flatMap((record) => record.failing))];
      const dialogue = await this.#dialogueEffects(moved, proof === null ? null : { id: proof, failing });
      const move = { view: this.#view, key, settlement };
      const change = { ...move, before: this.#state, after: moved.state, records };
      return {
        events: [
          ...before,
          result,
          ...(await this.#family.facts(change, this)),
          ...dialogue.facts,
          ...completedPhases({ ...move, commands: moved.commands, proof }),
          ...this.#issuedEvents(moved),
          ...endEvents(moved.commands, this.#view, { key, settlement }),
        ],
        sideWrites: dialogue.sideWrites,
      };
    });
    return { ignored };
  }

  /** Aborts the run for a person. */
  abort(reason: string, by: EventOf<"run.aborted">["by"]): Promise<void> {
    const event: RunEvent = { type: "run.aborted", reason, ...(by === undefined ? {} : { by }) };
    return this.#append(() => this.#eventBatch(event, { aborted: reason }));
  }

  /** Aborts one node of a graph and its descendants, and notifies its parent (V3-71). */
  abortNode(ended: Omit<EventOf<"node.aborted">, "type">): Promise<void> {
    return this.#append(() => this.#eventBatch({ type: "node.aborted", ...ended }, { why: ended.reason }));
  }

  /** Reads events that other processes appended. */
  async refresh(): Promise<void> {
    const events = (await this.ports.journal.read(this.run, this.#view.seq)).map(recorded);
    if (events.length === 0) return;
    if (events.some((event) => "commit" in event)) await this.#beforeCommits();
    await this.#absorb(events);
  }

  /** A result that opens dialogues carries the stamp for their names. */
  #result(key: string, settlement: Settlement, seq: number) {
    const plain = resultEvent(key, settlement);
    const first = this.#step(plain, seq);
    if (first.opened.length === 0) return { result: plain, moved: first };
    const { clock = systemClock } = this.ports;
    const result = { ...plain, stamp: stampOf(clock.now() + this.#stampOffsetMs) };
    return { result, moved: this.#step(result, seq) };
  }

  /**
   * The batch for an event that is not a command's result.
   * @param options `facts` that it depends on; `why` nodes end; reason why the run is `aborted`
   */
  async #eventBatch(
    event: RunEvent,
    options: { readonly facts?: readonly RunEvent[]; readonly why?: string; readonly aborted?: string },
  ): Promise<Batch> {
    const { facts = [], why = "", aborted } = options;
    const moved = this.#step(event, this.#view.seq + facts.length + 1);
    const dialogue = await this.#dialogueEffects(moved);
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
        ...dialogue.facts,
        ...this.#issuedEvents(moved),
        ...endEvents(moved.commands, view),
      ],
      sideWrites: dialogue.sideWrites,
    };
  }

  #issuedEvents({ commands, state }: Step): readonly RunEvent[] {
    const where = { session: { state }, protocol: this.#protocol };
    return commands.map((command) =>
      issuedEvent(command, command.type === "dispatch" ? this.#family.line(where, command) : null),
    );
  }

  async #dialogueEffects(moved: Step, proof: NoteProof | null = null) {
    const notes = await Promise.all(moved.notes.map((note) => this.#family.note(this, note, proof)));
    return dialogueFacts({ sessions: this.#view.sessions, step: moved, notes });
  }

  #step(event: RunEvent, seq: number) {
    const input = toKernel(event, seq);
    invariant(input, `${event.type} is no kernel event`);
    return step(this.#protocol, this.#state, input);
  }

  /** Runs appends one at a time. After a conflict it reads the other process's events and rebuilds the batch. */
  #append(make: () => Promise<Batch>): Promise<void> {
    const next = this.#tail.then(async () => {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        // A refresh meanwhile moves the view on: the batch is one for the events that it began with.
        const { seq } = this.#view;
        const { events: made, sideWrites: beside } = await make();
        if (made.length === 0) return;
        const { permits } = this.ports;
        const events = permits === undefined ? made : await permittedEvents(permits, made, this.#view);
        try {
          const ends = events.some(({ type }) => type === "run.ended");
          const stored = await this.ports.journal.append(this.run, seq, events.map(toNewEvent), {
            ...beside,
            ends,
          });
          return await this.#absorb(stored.map(recorded));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (error.code === "session_taken") this.#stampOffsetMs += 1;
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

  async #absorb(given: readonly Recorded[]): Promise<void> {
    const protocols = new Map<string, Protocol>();
    for (const event of given)
      if (event.type === "settings.changed")
        protocols.set(event.protocolRef, await this.#load(event.protocolRef));
    // An append and a refresh at the same time may both have them.
    const events = given.filter(({ seq }) => seq > this.#view.seq);
    let inputs: KernelEvent[] = [];
    for (const event of events) {
      if (event.type === "settings.changed") {
        this.#state = fold(this.#protocol, inputs, this.#state);
        inputs = [];
        this.#protocol = protocols.get(event.protocolRef) ?? this.#protocol;
      }
      const input = toKernel(event, event.seq);
      if (input) inputs.push(input);
    }
    this.#state = fold(this.#protocol, inputs, this.#state);
    this.#view = foldView(this.#view, events);
    for (const listener of this.#listeners) listener(events);
  }
}
