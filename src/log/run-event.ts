import { z } from "zod";
import { Stopped } from "./stopped.ts";
import { Envelope } from "../protocol/envelope.ts";
import { by } from "./by.ts";
import { Item } from "../kernel/event.ts";
import { nodeEvents } from "./node-events.ts";

/**
 * Everything a run's journal may hold. The kernel reacts to `run.started`, `result` and `run.aborted` only;
 * the rest are facts that the runtime saw, folded by `views/`. Names are past tense. Unknown fields are tolerated
 * within the version, unknown types are kept and ignored by folds (CORE-100).
 */
const hashes = z.record(z.string(), z.string());

export const RunEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run.started"),
    version: z.literal(1),
    task: z.string(),
    protocol: z.string(),
    /** Payload addresses of what the run keeps as it was at its start (CORE-06). */
    protocolRef: z.string(),
    templatesRef: z.string(),
    settingsRef: z.string(),
    repository: z.string(),
    base: z.string(),
    branch: z.string().nullable(),
    dirty: z.boolean(),
    /** Folder of the documents in the main checkout, relative: `.claude/temp`, or below it where another run has that one. */
    folder: z.string(),
    /** Who plays which role: role or `default` -> agent, as given on the command line. */
    agents: z.record(z.string(), z.string()),
    /** Names of the reviewers, as the state line shows them. */
    reviewers: z.array(z.string()),
    preapproved: z.array(z.string()),
    demo: z.boolean(),
    /** Patterns of σ₆ as they were when the run began (RIP-03). */
    protection: z.array(z.string()).optional(),
    /** What confines the agents of the whole run, and which attempts of the probe it stood; null or missing: nothing. */
    sandbox: z
      .object({ kind: z.literal("bubblewrap"), version: z.string(), held: z.record(z.string(), z.boolean()) })
      .nullable()
      .optional(),
    /** Who is the Main Thread (design 1): Mettle, or the user's own session. Missing: Mettle. */
    front: z.enum(["driver", "referee"]).optional(),
    /** The file that the spec was read from, and the hash of its text then (V3-93). */
    specFile: z.object({ path: z.string(), hash: z.string() }).optional(),
    /** A merge request is opened for each node that is published (V3-94). */
    mergeRequests: z.boolean().optional(),
    /** The protocol of printed steps that the run hosts, and what its agents are given. */
    steps: z.object({ protocol: z.string(), inputs: z.record(z.string(), z.unknown()) }).optional(),
  }),
  /** The base commit's own tests were executed, before any agent worked (PRV-01). */
  z.object({
    type: z.literal("base.proved"),
    commit: z.string(),
    /** How many tests there are; of files that do not load as many as their text shows. */
    tests: z.number(),
    /** Ids of those that fail there, and files that do not load; `count` is how many tests these are. */
    failing: z.array(z.string()),
    count: z.number(),
    /** So many that a person has to accept them before an agent works (PRV-02). */
    needsPerson: z.boolean().optional(),
  }),
  /** A person lets the run go on from a base of which these tests fail. */
  z.object({ type: z.literal("base.accepted"), failing: z.array(z.string()), count: z.number(), by }),
  /** A person accepts that these old tests were changed, and need not pass by their old text. */
  z.object({
    type: z.literal("tests.accepted"),
    tests: z.array(z.string()),
    by,
    reason: z.string().optional(),
  }),
  /** A command, journaled before it is done. `command` is a kernel Command. */
  z.object({
    type: z.literal("command.issued"),
    key: z.string(),
    command: z.unknown(),
    /** A dispatch in the seeds' wire form, where the protocol has modes: `QA[S{sid},R0,C1,P:ℜ]`. */
    line: z.string().optional(),
  }),
  z.object({
    type: z.literal("result"),
    key: z.string(),
    outcome: z.string(),
    payload: z.string().optional(),
    signature: z.string().optional(),
    items: z.array(Item).optional(),
    /** Of an exit of a graph's node: what routing sees of it (V3-23). */
    envelope: Envelope.optional(),
    /** Which list `items` is; without it they are those of the next `each`. */
    list: z.string().optional(),
    /** Set when a person answered. */
    by: by.optional(),
    /** The person's words: a reason, a context, an approach. */
    text: z.string().optional(),
    /** How an agent gave the decision. */
    channel: z.enum(["mcp", "structured", "line", "stream"]).optional(),
    /** Names the dialogues that this result opens: `YYYYMMDDTHHMMSSmmmZ`. Without it they are named by their place. */
    stamp: z.string().optional(),
  }),
  /** From outside the run: something that `events` of its machines handle. */
  z.object({
    type: z.literal("signal"),
    event: z.string(),
    why: z.string(),
    interrupts: z.boolean().optional(),
    items: z.array(Item).optional(),
    list: z.string().optional(),
  }),
  /** A gate of a plan waits for a person: `gate` is its name, `file` where it is answered. */
  z.object({
    type: z.literal("plan.gate_opened"),
    key: z.string(),
    gate: z.string(),
    file: z.string(),
    /** That answers it, with the gate's own fields. */
    command: z.string().optional(),
  }),
  z.object({ type: z.literal("result.ignored"), key: z.string(), outcome: z.string(), why: z.string() }),
  z.object({ type: z.literal("run.aborted"), reason: z.string(), by: by.optional() }),
  z.object({
    type: z.literal("run.ended"),
    outcome: z.enum(["complete", "halted", "failed"]),
    reason: z.string(),
  }),
  z.object({
    type: z.literal("settings.changed"),
    settingsRef: z.string(),
    protocolRef: z.string(),
    what: z.string(),
    by: by.optional(),
  }),

  z.object({
    type: z.literal("dispatch.started"),
    key: z.string(),
    role: z.string(),
    /** Of a graph. */
    node: z.string().optional(),
    agent: z.string(),
    vendor: z.string(),
    conversation: z.string(),
    resumed: z.boolean(),
    workspace: z.string(),
    isolation: z.string(),
    /** Address of the prompt. */
    prompt: z.string(),
    /** How it knows what another conversation holds: forked by the agent, on a copy, or told as text (V3-47). */
    thread: z.enum(["native", "copied", "text"]).optional(),
    /** Of a fork: the newest dispatch of the other conversation that it knows. */
    knows: z.string().optional(),
    /** Address of its own message, where the prompt begins with that text. */
    message: z.string().optional(),
    /** Where somebody else works too: the commit of how everything lay there before. */
    before: z.string().optional(),
  }),
  /** The agent's text of one turn, by address, masked. */
  z.object({ type: z.literal("agent.said"), key: z.string(), ref: z.string(), bytes: z.number() }),
  z.object({
    type: z.literal("agent.used"),
    key: z.string(),
    context: z.number().nullable(),
    tokens: z.number().nullable(),
    costUsd: z.number().nullable(),
  }),
  z.object({ type: z.literal("agent.nudged"), key: z.string(), nudge: z.number() }),
  /** A tool call that the agent's own rules refused; of very many the first ones. */
  z.object({ type: z.literal("agent.denied"), key: z.string(), tool: z.string(), detail: z.string() }),
  z.object({ type: z.literal("report.refused"), key: z.string(), why: z.string() }),
  z.object({
    type: z.literal("claim.unverified"),
    key: z.string(),
    phrase: z.string(),
    excerpt: z.string(),
    tree: z.string(),
    /** What the plan shows, of a final answer that is held against it. */
    shown: z.string().optional(),
  }),
  z.object({ type: z.literal("forged.block"), key: z.string(), command: z.string(), exitCode: z.string() }),
  z.object({
    type: z.literal("outside.write"),
    key: z.string(),
    place: z.string(),
    paths: z.array(z.string()),
  }),
  /** Files of a workspace that became part of no commit. */
  z.object({
    type: z.literal("files.left_out"),
    key: z.string(),
    files: z.array(
      z.object({
        path: z.string(),
        reason: z.enum(["filter", "ignored", "too_large", "unreadable"]),
        why: z.string(),
      }),
    ),
  }),

  z.object({
    type: z.literal("document.written"),
    /** `spec`, `architecture`, `plan-review`, `test-review`, `code-review`, `test-output`. */
    name: z.string(),
    ref: z.string(),
    by: z.enum(["agent", "person", "runtime"]),
    key: z.string(),
  }),
  z.object({
    type: z.literal("questions.asked"),
    key: z.string(),
    questions: z.array(z.object({ id: z.string(), topic: z.string(), text: z.string() })),
  }),
  z.object({ type: z.literal("question.answered"), id: z.string(), text: z.string(), by }),
  z.object({
    type: z.literal("review.given"),
    key: z.string(),
    /** 1, 2 or 3. */
    gate: z.number(),
    reviewer: z.string(),
    label: z.string(),
    agent: z.string(),
    vendor: z.string(),
    verdict: z.enum(["APPROVED", "NEEDS_WORK", "inconclusive", "empty"]),
    /** Why a verdict is not what the reviewer wrote: `contradiction`, `unparsable`, `outside_write`, `timeout` … */
    reason: z.string(),
    fields: z.record(z.string(), z.string()),
    /** What must change, and what was only suggested or warned of, word for word. */
    issues: z.array(z.string()),
    suggestions: z.array(z.string()),
    /** Names -> hashes of exactly what was reviewed: documents, or commit. */
    reviewed: hashes,
    /** Source files that were too large to be shown to this reviewer. */
    omitted: z.array(z.string()).optional(),
    ref: z.string().optional(),
  }),
  z.object({
    type: z.literal("findings.tracked"),
    gate: z.number(),
    /** Whose findings these are, all of them; the other reviewer's stay as they were. */
    reviewer: z.string(),
    round: z.number(),
    findings: z.array(
      z.object({ id: z.string(), text: z.string(), status: z.enum(["open", "fixed", "new", "regression"]) }),
    ),
  }),

  z.object({
    type: z.literal("commit.made"),
    key: z.string(),
    kind: z.enum(["red", "green", "test_refactor", "impl_refactor", "scaffold", "rebased", "other"]),
    /** Of which node of a graph. */
    node: z.string().optional(),
    commit: z.string(),
    tree: z.string(),
    parent: z.string(),
    /** The commit that its agent started from. */
    from: z.string().optional(),
    /** Paths changed against the parent. */
    paths: z.array(z.string()),
    ref: z.string(),
    /** Frozen paths that its agent could not change, since the sandbox lets them be read alone. */
    tried: z.array(z.string()).optional(),
  }),
  /** The run's branch moved: a gate accepted the commit, or a person reset it. */
  z.object({
    type: z.literal("head.moved"),
    kind: z.enum(["red", "green", "test_refactor", "impl_refactor", "reset"]),
    commit: z.string(),
  }),
  z.object({
    type: z.literal("files.frozen"),
    commit: z.string(),
    files: hashes,
    required: z.array(z.string()),
  }),
  z.object({
    type: z.literal("work.rescued"),
    key: z.string(),
    ref: z.string(),
    commit: z.string(),
    reason: z.string(),
  }),
  /** The number of a record that does not exist yet, for the message of the commit that it will be about. */
  z.object({
    type: z.literal("record.reserved"),
    /** Of the command that makes the commit. */
    key: z.string(),
    id: z.string(),
  }),
  z.object({
    type: z.literal("record.written"),
    id: z.string(),
    key: z.string(),
    phase: z.string().nullable(),
    purpose: z.string(),
    /** Address of the record, and of its signed envelope. */
    ref: z.string(),
    envelope: z.string(),
    verdict: z.enum(["pass", "fail", "inconclusive"]),
    exitCode: z.number().nullable(),
    commit: z.string().nullable(),
    tree: z.string().nullable(),
    failing: z.array(z.string()),
  }),
  /** A gate's whole answer, by address (gates/verdict.ts), with the reasons in short. */
  z.object({
    type: z.literal("gate.judged"),
    key: z.string(),
    gate: z.string(),
    verdict: z.enum(["pass", "fail", "inconclusive"]),
    ref: z.string(),
    reasons: z.array(z.string()),
    /** Ids of tests that it was refused for and that a person may accept. */
    acceptable: z.array(z.string()).optional(),
    /** What was found beside the checks and decides nothing: numbers, marks, stubs. */
    findings: z.array(z.string()),
  }),
  z.object({ type: z.literal("phase.completed"), phase: z.string(), record: z.string() }),
  z.object({
    type: z.literal("ask.shown"),
    key: z.string(),
    hash: z.string(),
    shown: hashes,
    text: z.string(),
  }),
  z.object({
    type: z.literal("breaker.tripped"),
    key: z.string(),
    trigger: z.string(),
    attempts: z.number(),
    max: z.number(),
    lastError: z.string(),
    /** The commit that `--reset` is printed with. */
    reset: z.string(),
  }),
  z.object({ type: z.literal("notified"), key: z.string(), ok: z.boolean(), why: z.string() }),
  z.object({
    type: z.literal("warned"),
    code: z.string(),
    message: z.string(),
    /** Where it stopped the command of this key: what the error says, and what to do. */
    stopped: Stopped.optional(),
  }),
  /** A dialogue of the protocols with sessions: `PLAN_…` between planner and critic, `TDD_…_C{i}` within a cycle. */
  z.object({
    type: z.literal("session.opened"),
    session: z.string(),
    kind: z.enum(["plan_loop", "tdd_loop"]),
  }),
  z.object({ type: z.literal("session.closed"), session: z.string() }),
  /** An observation; its whole text stands in the store of observations. */
  z.object({
    type: z.literal("observed"),
    session: z.string(),
    round: z.number(),
    /** `MT`, `QA`, `DE` or the symbol of a mode. */
    agent: z.string(),
    excerpt: z.string(),
    bytes: z.number(),
  }),
  /** A mode was left with these words for the next one (RIPER, Handoff Protocol). */
  z.object({ type: z.literal("handed.over"), from: z.string(), to: z.string(), summary: z.string() }),
  z.object({
    type: z.literal("cycle.completed"),
    /** From 1. */
    cycle: z.number(),
    commit: z.string(),
    /** Ids of this cycle's tests and of those before it. */
    required: z.array(z.string()),
    record: z.string(),
  }),
  z.object({
    type: z.literal("cycle.failed"),
    cycle: z.number(),
    phase: z.string(),
    kind: z.enum(["agent", "test", "quality"]),
    /** Who is at fault where tests failed; null where that is not the question. */
    fault: z.enum(["qa", "de", "undetermined"]).nullable(),
    /** The status code, or the gate's row that failed. */
    what: z.string(),
    why: z.string(),
    /** Ids of the tests that failed. */
    failing: z.array(z.string()),
    /** The record it rests on, null where none was made. */
    record: z.string().nullable(),
    /** What the run was then: its newest event, and its commit. */
    snapshot: z.object({ seq: z.number(), commit: z.string() }),
  }),
  z.object({ type: z.literal("landed"), onto: z.string(), commit: z.string() }),
  ...nodeEvents,
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** A RunEvent with the journal's envelope around it. */
export type Recorded<E = RunEvent> = E & { readonly seq: number; readonly at: string };
