import * as z from "zod";
import { EnvironmentError } from "./environment-error.ts";
import { Envelope } from "../protocol/envelope.ts";
import { by } from "./by.ts";
import { Item } from "../kernel/event.ts";
import { accountPaused } from "./account-paused.ts";
import { agentRefusals } from "./agent-refusals.ts";
import { agentTurns } from "./agent-turns.ts";
import { lockedTestEvents } from "./locked-test-events.ts";
import { nodeEvents } from "./node-events.ts";
import { personEvents } from "./person-events.ts";

/**
 * All events of a run's journal. `toKernel` passes some to the kernel; the others are facts recorded by the runtime and
 * folded by `run-view.ts`. Names are past tense. Unknown fields are tolerated within the version; unknown types are kept
 * and ignored by folds (CORE-100).
 */
const hashes = z.record(z.string(), z.string());

export const RunEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run.started"),
    version: z.literal(1),
    task: z.string(),
    protocol: z.string(),
    /** Payload addresses of what is frozen at the run's start (CORE-06). */
    protocolRef: z.string(),
    templatesRef: z.string(),
    settingsRef: z.string(),
    repository: z.string(),
    /** In a shared store: the host on which the run goes on, and the id of its state home there. */
    host: z.object({ name: z.string(), home: z.string() }).optional(),
    /** The workers of a shared store do it; its commits are at this remote. */
    workers: z.object({ remote: z.string() }).optional(),
    /** Processes of their own drive it on this host, where commands leave it to them (SCL-09). */
    background: z.literal(true).optional(),
    base: z.string(),
    branch: z.string().nullable(),
    dirty: z.boolean(),
    /** Relative folder of the documents in the main checkout: `.claude/temp`, or below it if another run uses that. */
    folder: z.string(),
    /** Role or `default` -> agent, as given on the command line. */
    agents: z.record(z.string(), z.string()),
    /** Names of the reviewers, as shown in the state line. */
    reviewers: z.array(z.string()),
    preapproved: z.array(z.string()),
    demo: z.boolean(),
    /** Patterns of σ₆, frozen at the run's start (RIP-03). */
    protection: z.array(z.string()).optional(),
    /** The sandbox of all agents of the run, and which probe attempts it blocked; null or missing: none. */
    sandbox: z
      .object({ kind: z.literal("bubblewrap"), version: z.string(), held: z.record(z.string(), z.boolean()) })
      .nullable()
      .optional(),
    /** Who is the Main Thread: `driver` is Mettle, `referee` the user's own session. Default: Mettle. */
    front: z.enum(["driver", "referee"]).optional(),
    /** Source file of the spec, and the hash of its text at the start (V3-93). */
    specFile: z.object({ path: z.string(), hash: z.string() }).optional(),
    /** Open a merge request for each published node (V3-94). */
    mergeRequests: z.boolean().optional(),
    /** The protocol of printed steps that the run hosts, and the inputs of its agents. */
    steps: z.object({ protocol: z.string(), inputs: z.record(z.string(), z.unknown()) }).optional(),
  }),
  /** The base commit's tests were executed before any agent worked (PRV-01). */
  z.object({
    type: z.literal("base.proved"),
    commit: z.string(),
    /** Number of tests; in files that do not load, as counted in their text. */
    tests: z.number(),
    /** Ids of failing tests, and files that do not load; `count` is the number of tests in both. */
    failing: z.array(z.string()),
    count: z.number(),
    /** Too many: a person must accept them before an agent works (PRV-02). */
    needsPerson: z.boolean().optional(),
  }),
  /** A command, journaled before its execution. `command` is a kernel Command. */
  z.object({
    type: z.literal("command.issued"),
    key: z.string(),
    command: z.unknown(),
    /** For a dispatch of a protocol with modes: the seeds' wire form, `QA[S{sid},R0,C1,P:ℜ]`. */
    line: z.string().optional(),
  }),
  z.object({
    type: z.literal("result"),
    key: z.string(),
    outcome: z.string(),
    payload: z.string().optional(),
    signature: z.string().optional(),
    items: z.array(Item).optional(),
    /** For an exit of a graph's node: the part that routing sees (V3-23). */
    envelope: Envelope.optional(),
    /** Name of the list `items`; without it the next `each` takes them. */
    list: z.string().optional(),
    /** Only for a person's answer. */
    by: by.optional(),
    /** The person's text: a reason, a context, an approach. */
    text: z.string().optional(),
    /** How an agent reported the decision. */
    channel: z.enum(["mcp", "structured", "line", "stream"]).optional(),
    /** Names the dialogues that this result opens: `YYYYMMDDTHHMMSSmmmZ`. Without it the event's `seq` names them. */
    stamp: z.string().optional(),
  }),
  /** An event from outside the run, for `events` of its machines. */
  z.object({
    type: z.literal("signal"),
    event: z.string(),
    why: z.string(),
    interrupts: z.boolean().optional(),
    items: z.array(Item).optional(),
    list: z.string().optional(),
  }),
  /** A gate of a plan waits for a person; `file` is where the answer goes. */
  z.object({
    type: z.literal("plan.gate_opened"),
    key: z.string(),
    gate: z.string(),
    file: z.string(),
    /** The command that answers it, with the gate's fields. */
    command: z.string().optional(),
  }),
  z.object({ type: z.literal("result.ignored"), key: z.string(), outcome: z.string(), why: z.string() }),
  z.object({
    type: z.literal("run.ended"),
    outcome: z.enum(["complete", "halted", "failed"]),
    reason: z.string(),
  }),
  /** A worker of the shared store died while it did a command. */
  z.object({ type: z.literal("worker.died"), key: z.string(), worker: z.string() }),
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
    /** Of a graph's run. */
    node: z.string().optional(),
    agent: z.string(),
    vendor: z.string(),
    /** The account whose usage limits it shares; missing: a user's own session. */
    account: z.string().optional(),
    conversation: z.string(),
    resumed: z.boolean(),
    workspace: z.string(),
    isolation: z.string(),
    /** In a shared store: the id of the state home whose host it ran on. */
    home: z.string().optional(),
    /** What a confined agent may reach, as `HOST:PORT`; missing: the network of the machine, or its own sandbox decides. */
    hosts: z.array(z.string()).optional(),
    /** Address of the prompt. */
    prompt: z.string(),
    /** How it gets another conversation's context: forked by the agent, from a copy, or as text (V3-47). */
    thread: z.enum(["native", "copied", "text"]).optional(),
    /** For a fork: the newest dispatch in the context it gets. */
    knows: z.string().optional(),
    /** Address of its own message, if the prompt starts with the other conversation as text. */
    message: z.string().optional(),
    /** For a shared workspace: a commit of its state before the dispatch. */
    before: z.string().optional(),
  }),
  ...agentTurns,
  ...agentRefusals,
  accountPaused,
  z.object({ type: z.literal("report.refused"), key: z.string(), why: z.string() }),
  z.object({
    type: z.literal("claim.unverified"),
    key: z.string(),
    phrase: z.string(),
    excerpt: z.string(),
    tree: z.string(),
    /** For a final answer checked against the plan: what the plan shows. */
    shown: z.string().optional(),
  }),
  z.object({ type: z.literal("forged.block"), key: z.string(), command: z.string(), exitCode: z.string() }),
  z.object({
    type: z.literal("outside.write"),
    key: z.string(),
    place: z.string(),
    paths: z.array(z.string()),
  }),
  /** Files of a workspace that are in no commit. */
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
    /** Why the verdict differs from the reviewer's: `contradiction`, `unparsable`, `outside_write`, `timeout` … */
    reason: z.string(),
    fields: z.record(z.string(), z.string()),
    /** Required changes, verbatim. */
    issues: z.array(z.string()),
    /** Suggestions and warnings, verbatim. */
    suggestions: z.array(z.string()),
    /** Name -> hash of each reviewed document, or of the commit. */
    reviewed: hashes,
    /** Source files that were too large to show to this reviewer. */
    omitted: z.array(z.string()).optional(),
    ref: z.string().optional(),
  }),
  z.object({
    type: z.literal("findings.tracked"),
    gate: z.number(),
    /** `findings` are all of this reviewer's; the other reviewer's do not change. */
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
    /** The graph's node. */
    node: z.string().optional(),
    commit: z.string(),
    tree: z.string(),
    parent: z.string(),
    /** The commit where its agent started. */
    from: z.string().optional(),
    /** Paths changed from the parent. */
    paths: z.array(z.string()),
    ref: z.string(),
    /** Frozen paths that its agent tried to change; the sandbox mounts them read-only. */
    tried: z.array(z.string()).optional(),
  }),
  /** The run's branch moved: a gate accepted the commit, or a person reset it. */
  z.object({
    type: z.literal("head.moved"),
    kind: z.enum(["red", "green", "test_refactor", "impl_refactor", "reset"]),
    commit: z.string(),
  }),
  z.object({
    type: z.literal("work.rescued"),
    key: z.string(),
    ref: z.string(),
    commit: z.string(),
    reason: z.string(),
  }),
  /** Reserves the id of a future record, for the message of the commit that it will prove. */
  z.object({
    type: z.literal("record.reserved"),
    /** Key of the command that makes the commit. */
    key: z.string(),
    id: z.string(),
  }),
  z.object({
    type: z.literal("record.written"),
    id: z.string(),
    key: z.string(),
    phase: z.string().nullable(),
    purpose: z.string(),
    /** Address of the record. */
    ref: z.string(),
    /** Address of its signed envelope. */
    envelope: z.string(),
    verdict: z.enum(["pass", "fail", "inconclusive"]),
    exitCode: z.number().nullable(),
    commit: z.string().nullable(),
    tree: z.string().nullable(),
    failing: z.array(z.string()),
  }),
  /** A gate's full verdict, by address (gates/verdict.ts), with short reasons. */
  z.object({
    type: z.literal("gate.judged"),
    key: z.string(),
    gate: z.string(),
    verdict: z.enum(["pass", "fail", "inconclusive"]),
    ref: z.string(),
    reasons: z.array(z.string()),
    /** Ids of tests that caused the refusal and that a person may accept. */
    acceptable: z.array(z.string()).optional(),
    /** Observations that decide nothing: numbers, markers, stubs. */
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
    /** The commit for the printed `--reset`. */
    reset: z.string(),
  }),
  z.object({ type: z.literal("notified"), key: z.string(), ok: z.boolean(), why: z.string() }),
  z.object({
    type: z.literal("warned"),
    code: z.string(),
    message: z.string(),
    /** The environment error that stopped a command. */
    stopped: EnvironmentError.optional(),
  }),
  /** A dialogue of the protocols with sessions: `PLAN_…` between planner and critic, `TDD_…_C{i}` within a cycle. */
  z.object({
    type: z.literal("session.opened"),
    session: z.string(),
    kind: z.enum(["plan_loop", "tdd_loop"]),
  }),
  z.object({ type: z.literal("session.closed"), session: z.string() }),
  /** An observation; its full text is in the store of observations. */
  z.object({
    type: z.literal("observed"),
    session: z.string(),
    round: z.number(),
    /** `MT`, `QA`, `DE` or the symbol of a mode. */
    agent: z.string(),
    excerpt: z.string(),
    bytes: z.number(),
  }),
  /** A mode ended with this summary for the next one (RIPER, Handoff Protocol). */
  z.object({ type: z.literal("handed.over"), from: z.string(), to: z.string(), summary: z.string() }),
  z.object({
    type: z.literal("cycle.completed"),
    /** Starts at 1. */
    cycle: z.number(),
    commit: z.string(),
    /** Ids of the tests of this cycle and of earlier ones. */
    required: z.array(z.string()),
    record: z.string(),
  }),
  z.object({
    type: z.literal("cycle.failed"),
    cycle: z.number(),
    phase: z.string(),
    kind: z.enum(["agent", "test", "quality"]),
    /** Who is at fault for failing tests; null if no tests failed. */
    fault: z.enum(["qa", "de", "undetermined"]).nullable(),
    /** The status code, or the gate's failed check. */
    what: z.string(),
    why: z.string(),
    /** Ids of the tests that failed. */
    failing: z.array(z.string()),
    /** Id of the record that shows it, or null. */
    record: z.string().nullable(),
    /** The run's state then: its newest event and its commit. */
    snapshot: z.object({ seq: z.number(), commit: z.string() }),
  }),
  z.object({ type: z.literal("landed"), onto: z.string(), commit: z.string(), by: by.optional() }),
  ...nodeEvents,
  ...personEvents,
  ...lockedTestEvents,
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

/** A RunEvent with the journal's envelope around it. */
export type Recorded<E = RunEvent> = E & { readonly seq: number; readonly at: string };
