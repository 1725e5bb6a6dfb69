/**
 * The read model of one run: a fold of its journal, used by the runtime for facts and by all views for display.
 * Pure; refolding the journal gives an equal view (CORE-92).
 */
import type { EventOf, Recorded } from "./run-event.ts";
import type { EndOutcome } from "../protocol/machine.ts";
import { addCommand, addResult, type AskAnswer, type CommandEntry } from "./commands.ts";
import { closeDialogue, openDialogue, type DialogueEntry } from "./dialogues.ts";
import { replaceFindings, type ReviewFinding } from "./findings.ts";
import { moveHead, type Head } from "./heads.ts";
import { foldNode, rootMerge, type Nodes } from "./nodes.ts";
import { addText, takeText } from "./added-texts.ts";
import { addAnswer, addQuestions, type Question } from "./questions.ts";
import { addUsed, nothingUsed, type Used } from "./used.ts";

export interface RunView {
  readonly run: string;
  readonly seq: number;
  readonly started: (EventOf<"run.started"> & { readonly at: string }) | null;
  /** Result of the base commit's tests before any agent worked; null in a run of an older version. */
  readonly base: EventOf<"base.proved"> | null;
  /** Who accepted the base, if many of its tests fail. */
  readonly baseAccepted: EventOf<"base.accepted"> | null;
  /** Ids of old tests whose changes a person accepted. */
  readonly acceptedTests: readonly string[];
  readonly ended: { readonly outcome: EndOutcome; readonly reason: string; readonly at: string } | null;
  readonly aborted: string | null;
  /** What a person told the agents when the run went on, by dispatch. */
  readonly added: Readonly<Record<string, readonly string[]>>;
  /** The same, for the dispatch that begins next. */
  readonly unheard: readonly string[];
  /** Seq of the newest request to stop; 0: none. */
  readonly pausedAt: number;
  readonly settingsRef: string;
  /** The protocol as it is now: a person may have changed a limit. */
  readonly protocolRef: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
  /** Command keys in order of issue. */
  readonly order: readonly string[];
  /** Keys of commands that the kernel cancelled. */
  readonly cancelled: readonly string[];
  readonly dispatches: Readonly<Record<string, Recorded<EventOf<"dispatch.started">>>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly documents: Readonly<Record<string, EventOf<"document.written">>>;
  /** Addresses of every version of a document, oldest first. */
  readonly versions: Readonly<Record<string, readonly string[]>>;
  readonly questions: readonly Question[];
  readonly reviews: readonly Recorded<EventOf<"review.given">>[];
  /** Gate number -> findings of all its reviewers. */
  readonly findings: Readonly<Record<string, readonly ReviewFinding[]>>;
  /** Every reported round of findings. */
  readonly rounds: readonly EventOf<"findings.tracked">[];
  readonly commits: readonly Recorded<EventOf<"commit.made">>[];
  /** Commits that a gate accepted, and the head of the run's branch. */
  readonly head: Head;
  readonly frozen: EventOf<"files.frozen"> | null;
  /** Key of a dispatch -> the locked tests that its agent does not see. */
  readonly withheld: Readonly<Record<string, EventOf<"tests.withheld">>>;
  /** Key of a command -> the workers that died while they did it. */
  readonly died: Readonly<Record<string, readonly string[]>>;
  /** Dialogues, oldest first. */
  readonly sessions: readonly DialogueEntry[];
  readonly observed: readonly Recorded<EventOf<"observed">>[];
  readonly handoffs: readonly Recorded<EventOf<"handed.over">>[];
  readonly cyclesDone: readonly Recorded<EventOf<"cycle.completed">>[];
  readonly cyclesFailed: readonly Recorded<EventOf<"cycle.failed">>[];
  readonly records: readonly Recorded<EventOf<"record.written">>[];
  /** Key of a command that makes a commit -> id of its record, written or not. */
  readonly reserved: Readonly<Record<string, string>>;
  readonly judged: readonly EventOf<"gate.judged">[];
  readonly phases: readonly { readonly phase: string; readonly record: string; readonly at: string }[];
  readonly asks: Readonly<Record<string, EventOf<"ask.shown">>>;
  /** Gates of a plan that were opened for a person, oldest first. */
  readonly planGates: readonly EventOf<"plan.gate_opened">[];
  readonly breakers: readonly EventOf<"breaker.tripped">[];
  readonly rescued: readonly EventOf<"work.rescued">[];
  readonly claims: readonly EventOf<"claim.unverified">[];
  readonly outside: readonly EventOf<"outside.write">[];
  readonly leftOut: readonly EventOf<"files.left_out">[];
  /** What confined agents wanted to reach and could not. */
  readonly refused: readonly EventOf<"network.refused">[];
  readonly forged: readonly EventOf<"forged.block">[];
  readonly warnings: readonly EventOf<"warned">[];
  readonly notified: readonly string[];
  /** Key of a dispatch -> what its agent used. */
  readonly used: Readonly<Record<string, Used>>;
  /** Account -> the pause for which its agents wait. */
  readonly paused: Readonly<Record<string, EventOf<"account.paused">>>;
  /** Key of a dispatch -> how often its agent reached a usage limit. */
  readonly limited: Readonly<Record<string, number>>;
  readonly answers: readonly AskAnswer[];
  readonly landed: readonly EventOf<"landed">[];
  /** Nodes of a graph, the root first. */
  readonly nodes: Nodes;
}

export function emptyView(run: string): RunView {
  return {
    run,
    seq: 0,
    started: null,
    base: null,
    baseAccepted: null,
    acceptedTests: [],
    ended: null,
    aborted: null,
    added: {},
    unheard: [],
    pausedAt: 0,
    settingsRef: "",
    protocolRef: "",
    commands: {},
    order: [],
    cancelled: [],
    dispatches: {},
    outputs: {},
    documents: {},
    versions: {},
    questions: [],
    reviews: [],
    findings: {},
    rounds: [],
    commits: [],
    head: { red: null, green: null, lastGreen: null, branch: null },
    frozen: null,
    withheld: {},
    died: {},
    sessions: [],
    observed: [],
    handoffs: [],
    cyclesDone: [],
    cyclesFailed: [],
    records: [],
    reserved: {},
    judged: [],
    phases: [],
    asks: {},
    planGates: [],
    breakers: [],
    rescued: [],
    claims: [],
    outside: [],
    leftOut: [],
    refused: [],
    forged: [],
    warnings: [],
    notified: [],
    used: {},
    paused: {},
    limited: {},
    answers: [],
    landed: [],
    nodes: {},
  };
}

/** The newest complete accepted work: the root's merge, a finished cycle, else a passing implementation. */
export function resultOf({
  nodes,
  cyclesDone,
  head,
}: Pick<RunView, "nodes" | "cyclesDone" | "head">): string | null {
  return rootMerge(nodes)?.commit ?? cyclesDone.at(-1)?.commit ?? head.green;
}

/** Folds events into the view; `events` is the whole journal or everything after `view.seq`. */
export function foldView(view: RunView, events: readonly Recorded[]): RunView {
  const next = structuredCopy(view);
  for (const event of events) {
    next.seq = event.seq;
    apply(next, event);
  }
  return next;
}

type Draft = {
  -readonly [K in keyof RunView]: RunView[K] extends readonly (infer T)[]
    ? T[]
    : string extends keyof RunView[K]
      ? { -readonly [N in keyof RunView[K]]: RunView[K][N] }
      : RunView[K];
};

/** A shallow copy whose lists and maps may be changed without changing the original. */
function structuredCopy(view: RunView): Draft {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(view))
    copy[name] = Array.isArray(value) ? [...(value as unknown[])] : isMap(value) ? { ...value } : value;
  return copy as unknown as Draft;
}

/** An interrupted dispatch is repeated under its key, and both attempts count. */
function addUse(view: Draft, { key, tokens, costUsd, turns = 1, at }: Recorded<EventOf<"agent.used">>): void {
  const started = view.dispatches[key]?.at;
  const workedMs = started === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(started));
  view.used[key] = addUsed(view.used[key] ?? nothingUsed, { tokens, costUsd, turns, workedMs });
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}

function apply(view: Draft, event: Recorded): void {
  switch (event.type) {
    case "run.started":
      view.started = event;
      view.settingsRef = event.settingsRef;
      view.protocolRef = event.protocolRef;
      return;
    case "base.proved":
      view.base = event;
      return;
    case "base.accepted":
      view.baseAccepted = event;
      return;
    case "tests.accepted":
      view.acceptedTests.push(...event.tests);
      return;
    case "command.issued":
      addCommand(view, event);
      return takeText(view, event);
    case "result":
      return addResult(view, event);
    case "run.aborted":
      view.aborted = event.reason;
      return;
    case "run.paused":
      view.pausedAt = event.seq;
      return;
    case "run.resumed":
      return addText(view, event);
    case "run.ended":
      view.ended = { outcome: event.outcome, reason: event.reason, at: event.at };
      return;
    case "settings.changed":
      view.settingsRef = event.settingsRef;
      view.protocolRef = event.protocolRef;
      return;
    case "dispatch.started":
      view.dispatches[event.key] = event;
      if (event.account !== undefined) delete view.paused[event.account];
      return;
    case "account.paused":
      view.paused[event.account] = event;
      if (event.reachedBy !== null) view.limited[event.reachedBy] = (view.limited[event.reachedBy] ?? 0) + 1;
      return;
    case "agent.said":
      view.outputs[event.key] = event.ref;
      return;
    case "agent.used":
      return addUse(view, event);
    case "document.written":
      view.documents[event.name] = event;
      view.versions[event.name] = [...(view.versions[event.name] ?? []), event.ref];
      return;
    case "questions.asked":
      view.questions = addQuestions(view.questions, event);
      return;
    case "question.answered":
      view.questions = addAnswer(view.questions, event);
      return;
    case "review.given":
      view.reviews.push(event);
      return;
    case "findings.tracked":
      view.rounds.push(event);
      view.findings[event.gate] = replaceFindings(view.findings[event.gate] ?? [], event);
      return;
    case "commit.made":
      view.commits.push(event);
      return;
    case "head.moved":
      view.head = moveHead(view.head, event);
      return;
    case "files.frozen":
      view.frozen = event;
      return;
    case "tests.withheld":
      view.withheld[event.key] = event;
      return;
    case "worker.died":
      view.died[event.key] = [...(view.died[event.key] ?? []), event.worker];
      return;
    case "session.opened":
      view.sessions = openDialogue(view.sessions, event);
      return;
    case "session.closed":
      view.sessions = closeDialogue(view.sessions, event);
      return;
    case "observed":
      view.observed.push(event);
      return;
    case "handed.over":
      view.handoffs.push(event);
      return;
    case "cycle.completed":
      view.cyclesDone.push(event);
      return;
    case "cycle.failed":
      view.cyclesFailed.push(event);
      return;
    case "work.rescued":
      view.rescued.push(event);
      return;
    case "record.reserved":
      view.reserved[event.key] = event.id;
      return;
    case "record.written":
      view.records.push(event);
      return;
    case "gate.judged":
      view.judged.push(event);
      return;
    case "phase.completed":
      view.phases.push({ phase: event.phase, record: event.record, at: event.at });
      return;
    case "ask.shown":
      view.asks[event.key] = event;
      return;
    case "plan.gate_opened":
      view.planGates.push(event);
      return;
    case "breaker.tripped":
      view.breakers.push(event);
      return;
    case "claim.unverified":
      view.claims.push(event);
      return;
    case "forged.block":
      view.forged.push(event);
      return;
    case "outside.write":
      view.outside.push(event);
      return;
    case "files.left_out":
      view.leftOut.push(event);
      return;
    case "network.refused":
      view.refused.push(event);
      return;
    case "warned":
      view.warnings.push(event);
      return;
    case "notified":
      view.notified.push(event.key);
      return;
    case "landed":
      view.landed.push(event);
      return;
    case "node.began":
    case "node.moved":
    case "node.accepted":
    case "node.tested":
    case "node.locked":
    case "node.candidate":
    case "node.merged":
    case "node.remembered":
    case "node.respecified":
    case "node.kept":
    case "node.request_begun":
    case "node.request_ended":
    case "node.aborted":
      view.nodes = foldNode(view.nodes, event);
      return;
    case "signal":
    case "result.ignored":
    case "agent.nudged":
    case "agent.denied":
    case "report.refused":
      return;
    default:
      // An event type of a later version: ignored by this fold (CORE-100).
      event satisfies never;
  }
}
