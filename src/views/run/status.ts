/** The status of a run for `status`, `watch` and `--json`: phase, counters, proof, open asks. Pure. */
import { isRunOfBase } from "../../evidence/judged-runs.ts";
import type { AskCommand, Command } from "../../kernel/command.ts";
import { countText } from "../count-text.ts";
import { safeLine } from "../../lib/safe-text.ts";
import { limitsOf, limitText, type LimitJson } from "./limit-text.ts";
import { loopLine, modeOfRun } from "./loop-line.ts";
import { openAsks } from "../../log/open-asks.ts";
import { currentPhase, stateLineOf } from "./run-state-line.ts";
import { claimText, isProven, unprovenPhases, type LaterCommit } from "../gate/claims.ts";
import { askCommands, askingNode, askKind, openQuestions, type AskKind } from "../asks.ts";
import { breakerJson, type BreakerJson } from "../gate/breaker-block.ts";
import { breakerFacts } from "../gate/breaker-facts.ts";
import type { RunView } from "../../log/run-view.ts";
import { spentJson, type SpentJson } from "./spent-text.ts";
import type { TreeStatus } from "../tree/tree-status.ts";
import { treeText } from "../tree/tree-text.ts";
import { outsideWarnings } from "../gate/warnings.ts";
import { shortCommit } from "../../lib/short-commit.ts";

export interface RunStatus {
  readonly run: string;
  readonly task: string;
  readonly protocol: string;
  readonly status: "running" | "stopped" | "waiting" | "blocked" | "complete" | "halted" | "failed";
  readonly phase: string | null;
  readonly state_line: string | null;
  /** Only for RIPER and DPTR; else null. */
  readonly mode: string | null;
  readonly alias: string | null;
  readonly loop: string | null;
  readonly loop_line: string | null;
  /** The attempt of each loop, `2/5`. */
  readonly counters: Readonly<Record<string, string>>;
  /** Names of counters above their initial value. */
  readonly retried: readonly string[];
  readonly proof: Proof | null;
  readonly unverified: readonly string[];
  readonly waiting: readonly WaitingAsk[];
  readonly warnings: readonly string[];
  readonly rescued: readonly string[];
  readonly reason: string | null;
  readonly owner: number | null;
  readonly spent: SpentJson;
  /** Usage limits for which agents wait. */
  readonly limits: readonly LimitJson[];
  /** For a graph: the root, or empty until the caller adds the tree; else null. */
  readonly nodes: TreeStatus["nodes"] | null;
  readonly slots: TreeStatus["slots"] | null;
  readonly spec_changed: boolean;
}

export interface Proof {
  readonly record: string;
  readonly purpose: string;
  readonly verdict: string;
  readonly exit: string;
  readonly commit: string | null;
  readonly failing: readonly string[];
}

export interface WaitingAsk {
  readonly key: string;
  /** The graph's node, or null. */
  readonly node: string | null;
  readonly kind: AskKind;
  readonly text: string;
  readonly hash: string | null;
  /** The text shown to the person before the answer. */
  readonly shown: string | null;
  readonly answers: readonly string[];
  readonly commands: readonly string[];
  readonly questions: readonly { readonly id: string; readonly topic: string; readonly text: string }[];
  readonly breaker: BreakerJson | null;
}

export interface StatusContext {
  /** The process that drives the run. */
  readonly owner: number | null;
  /** A commit on a branch of the run that the run did not make. */
  readonly later?: LaterCommit | null;
}

export function runStatus(view: RunView, { owner, later = null }: StatusContext): RunStatus {
  const waiting = openAsks(view).map((ask) => waitingOf(view, ask, later));
  const newest = newestCommand(view);
  return {
    run: view.run,
    task: view.started?.task ?? "",
    protocol: view.started?.protocol ?? "",
    status: statusOf(view, { waiting, owner }),
    phase: currentPhase(view),
    // An ended run is not in progress; the summary has its proof.
    state_line: view.ended ? null : stateLineOf(view, { later }),
    ...(modeOfRun(view) ?? { mode: null, alias: null, loop: null }),
    loop_line: loopLine(view),
    counters: Object.fromEntries(
      Object.entries(newest?.counters ?? {}).map(([name, count]) => [name, countText(count)]),
    ),
    retried: retriedOf(view, newest),
    proof: proofOf(view),
    unverified: unverifiedOf(view, later),
    waiting,
    warnings: [...view.warnings.map(({ message }) => message), ...outsideWarnings(view)],
    rescued: view.rescued.map(({ ref }) => ref),
    reason: view.ended?.reason ?? null,
    owner,
    spent: spentJson(view),
    limits: view.ended ? [] : limitsOf(view),
    nodes: Object.keys(view.nodes).length === 0 ? null : [],
    slots: null,
    spec_changed: false,
  };
}

function waitingOf(view: RunView, ask: AskCommand, later: LaterCommit | null): WaitingAsk {
  const breaker = breakerFacts(view, ask);
  const kind = askKind(ask);
  const open = kind === "questions" ? openQuestions(view) : [];
  return {
    key: ask.key,
    node: askingNode(view, ask),
    kind,
    text: ask.text,
    hash: view.asks[ask.key]?.hash ?? null,
    // The shown code is of another tree now.
    shown: kind === "code" && later !== null ? null : (view.asks[ask.key]?.text ?? null),
    answers: ask.answers.filter((answer) => answer !== "changed"),
    commands: askCommands(view, ask),
    questions: open.map(({ id, topic, text }) => ({ id, topic, text })),
    breaker: breaker && breakerJson(breaker),
  };
}

function statusOf(
  view: RunView,
  { waiting, owner }: { readonly waiting: readonly WaitingAsk[]; readonly owner: number | null },
): RunStatus["status"] {
  if (view.ended) return view.ended.outcome;
  // While a process drives a graph, some node works, even if another one asks (V3-72).
  if (owner !== null && Object.keys(view.nodes).length > 0) return "running";
  if (waiting.some(({ kind }) => kind === "breaker")) return "blocked";
  if (waiting.length > 0) return "waiting";
  return owner === null ? "stopped" : "running";
}

function newestCommand(view: RunView) {
  return view.order.map((key) => view.commands[key]?.command).at(-1);
}

/** Counters belong to a frame; its first command has their initial values. */
function retriedOf(view: RunView, newest: Command | undefined): readonly string[] {
  const first = view.order
    .map((key) => view.commands[key]?.command)
    .find((command) => command?.frame === newest?.frame);
  return Object.entries(newest?.counters ?? {}).flatMap(([name, { value }]) =>
    value > (first?.counters[name]?.value ?? 0) ? [name] : [],
  );
}

function proofOf(view: RunView): Proof | null {
  // A record of the base does not prove this run's work.
  const own = view.records.filter(({ purpose }) => !isRunOfBase(purpose));
  const record = own.findLast(({ tree }) => tree !== null) ?? own.at(-1);
  if (!record) return null;
  const { id, purpose, verdict, exitCode, commit, failing } = record;
  return {
    record: id,
    purpose,
    verdict,
    exit: exitCode === null ? "none" : String(exitCode),
    commit,
    failing,
  };
}

/** Claims and commits without a record with exit 0 for their tree. */
function unverifiedOf(view: RunView, later: LaterCommit | null): readonly string[] {
  const claims = view.claims
    .filter(({ tree }) => !isProven(view, tree))
    .map((claim) => claimText(view, claim));
  const newest = view.commits.at(-1);
  // In a graph, gates judge each node's work; the newest commit says nothing about the whole.
  const isTree = Object.keys(view.nodes).length > 0;
  const made =
    newest && !isTree && !isProven(view, newest.tree)
      ? [`UNVERIFIED work: commit ${shortCommit(newest.commit)}`]
      : [];
  return [...claims, ...made, ...laterText(view, later)];
}

/** Phases that a commit after the proof made unproven. */
export function laterText(view: RunView, later: LaterCommit | null): readonly string[] {
  const phases = unprovenPhases(view, later);
  const added =
    later === null || isProven(view, later.tree)
      ? []
      : [`UNVERIFIED work: commit ${shortCommit(later.commit)} on ${later.branch}`];
  const proven = view.head.branch === null ? "none" : shortCommit(view.head.branch);
  return phases.length === 0
    ? added
    : [
        ...added,
        `UNPROVEN ${phases.join(", ")}: the proof is of commit ${proven}, and a later one follows it`,
      ];
}

export function statusText(status: RunStatus): string {
  const tries = status.retried.map((name) => `${name} ${status.counters[name] ?? ""}`);
  const isOver = ["complete", "halted", "failed"].includes(status.status);
  const { nodes, slots, spec_changed } = status;
  const isTree = nodes !== null;
  return [
    ...(status.state_line === null ? [] : [status.state_line]),
    ...(status.loop_line === null ? [] : [status.loop_line]),
    `run ${status.run}: ${safeLine(status.task)}`,
    `  status    ${status.status}${status.owner === null ? "" : ` (process ${status.owner})`}${status.reason === null || status.reason === "" ? "" : `: ${status.reason}`}`,
    // In a graph, each node has its own phase and counters.
    ...(status.phase === null || isTree ? [] : [`  ${isOver ? "ended in  " : "phase     "}${status.phase}`]),
    ...(tries.length === 0 || isTree || isOver ? [] : [`  tries     ${tries.join(", ")}`]),
    ...status.limits.map((limit) => `  limit     ${limitText(limit)}`),
    ...(status.proof === null ? [] : [`  proof     ${proofText(status.proof)}`]),
    ...status.unverified.map((line) => `  ${line}`),
    ...status.waiting.flatMap(waitingText),
    ...(status.status === "stopped" ? [`  goes on   mettle resume ${status.run}`] : []),
    ...status.warnings.map((warning) => `  warning   ${warning}`),
    ...(isTree && slots !== null
      ? ["", ...treeText({ nodes, slots, spec_changed }).map((line) => `  ${line}`.trimEnd())]
      : []),
  ].join("\n");
}

/** Tests that failed before as well do not count against a passing verdict. */
function proofText({ record, purpose, verdict, exit, failing }: Proof): string {
  const tests =
    failing.length === 0 || verdict === "pass" ? "" : `; ${failing.length} failing: ${failing.join(", ")}`;
  return `${record} ${purpose} ${verdict}, EXIT_CODE ${exit}${tests}`;
}

/** Some texts already start with "waiting for": "WAITING FOR CODE APPROVAL". */
function waitText(text: string): string {
  return /^waiting for /iu.test(text) ? text : `waits for ${text}`;
}

/** Includes the message of a node, critic or reviewer, because the person decides by it. */
function waitingText({
  node,
  kind,
  text,
  shown,
  questions,
  commands,
  breaker,
}: WaitingAsk): readonly string[] {
  const lines = (shown ?? "").split("\n");
  const showsMessage = breaker === null && (node !== null || kind === "question" || kind === "paused");
  const message = showsMessage ? lines.slice(Math.max(0, lines.indexOf(text)) + 1) : [];
  return [
    `  ${waitText(`${node === null ? "" : `${node}: `}${breaker ? `${breaker.trigger} (attempts ${breaker.attempts}/${breaker.max})` : text}`)}`,
    ...message.map((line) => `          ${line}`),
    ...questions.map(({ id, topic, text: question }) => `            ${id} (${topic}): ${question}`),
    ...commands.map((command) => `            ${command}`),
  ];
}
