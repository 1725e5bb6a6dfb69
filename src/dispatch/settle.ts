/** Settles a finished dispatch: its outcome for the kernel, and its facts. */
import { realpath } from "node:fs/promises";
import { canonicalJson } from "../lib/hash.ts";
import { putJson } from "../journal/payload-parts.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import { shownFile } from "../run/run-host.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { environmentErrorFact } from "../run/environment-error.ts";
import { rescueWork } from "../run/rescue-work.ts";
import { commandIn, readText } from "../plans/gates/gate-files.ts";
import { gateMet } from "../family/open-gate.ts";
import { answerClaims } from "./claims.ts";
import { commitWork } from "./workspace/commit.ts";
import { documentFacts } from "./workspace/documents.ts";
import { frozenAttempt } from "./workspace/frozen-attempt.ts";
import { isJudgedNext } from "./is-judged-next.ts";
import { settleReview } from "./review.ts";
import type { AgentResult, SettlementRules } from "../family/agent-result.ts";
import type { Decision } from "../family/decision.ts";
import { payloadNamesOf } from "./channel/payload-schemas.ts";
import { mayCommit, writesOf } from "./workspace/workspace.ts";

export async function settleDispatch(finished: AgentResult, settling: SettlementRules): Promise<Settlement> {
  return withFactsAndClaims(finished, settling, await settlementOf(finished, settling));
}

async function settlementOf(finished: AgentResult, settling: SettlementRules): Promise<Settlement> {
  for (const step of beforeDecision) {
    const settlement = await step(finished);
    if (settlement !== null) return settlement;
  }
  return settling.settle(finished, await decide(finished));
}

/** What settles a dispatch whatever its agent decided, in this order; null: it does not apply. */
const beforeDecision: readonly ((finished: AgentResult) => Promise<Settlement | null> | Settlement | null)[] =
  [environmentFailure, contextFull, review, leakedSecret, forbiddenWrite, openGate];

/** Settles the decision with its payload, for families that add nothing. */
export async function plainDecision(finished: AgentResult, decision: Decision): Promise<Settlement> {
  const { context, command } = finished;
  const { status, message, payload = null, tried } = decision;
  const { facts, ...delivered } = await deliver(context, command, { status, payload });
  return {
    outcome: status,
    payload: await context.payloads.put(canonicalJson({ status, message, payload })),
    text: message,
    ...delivered,
    ...channelOf(decision),
    facts: [...(await workFacts(finished, tried)), ...unreadableReview(finished), ...facts],
  };
}

/** Takes items and documents out of a decision's payload, which was validated when it was reported. */
export async function deliver(
  { payloads, payloadKinds, protocol }: Pick<RunContext, "payloads" | "payloadKinds" | "protocol">,
  command: DispatchCommand,
  { status, payload }: Pick<Decision, "status" | "payload">,
): Promise<Pick<Settlement, "items" | "list"> & { readonly facts: readonly RunEvent[] }> {
  const name = payloadNamesOf(command, protocol.roles[command.role])[status] ?? "";
  const { document, ...items } = payloadKinds[name]?.deliver?.(payload) ?? {};
  if (document === undefined) return { ...items, facts: [] };
  const ref = await payloads.put(canonicalJson(document));
  return { ...items, facts: [{ type: "document.written", name, ref, by: "agent", key: command.key }] };
}

/** The agent continues when a person has answered the gate (ENV-88). */
async function openGate({ context, command: { key }, turns }: AgentResult): Promise<Settlement | null> {
  if (turns.gate === null) return null;
  const { gate, file } = turns.gate;
  const command = commandIn(gate, (await readText(file)) ?? "");
  return {
    outcome: gateMet,
    payload: await putJson(context.payloads, turns.gate),
    text: `${gate} waits for a person`,
    facts: [
      {
        type: "plan.gate_opened",
        key,
        gate,
        file: shownFile(context, file),
        ...(command === null ? {} : { command }),
      },
    ],
  };
}

const approvals: ReadonlySet<string> = new Set(["ACCEPT", "PA", "APPROVED"]);

/** A reviewer without a readable answer has approved nothing (TDP-44). */
function unreadableReview({ command, turns }: AgentResult): readonly RunEvent[] {
  const isReview = command.reports.some((code) => approvals.has(code));
  if (!isReview || turns.decision !== null || turns.outcome.type !== "ok") return [];
  const why =
    turns.refusalReason === null
      ? "its answer names no code"
      : `its answer was refused: ${turns.refusalReason}`;
  const message = `${command.role}: inconclusive: ${why}`;
  return [{ type: "warned", code: "review_inconclusive", message }];
}

/** Adds all facts, answers the claims, and saves work that no gate judges (CORE-71). */
async function withFactsAndClaims(
  finished: AgentResult,
  settling: SettlementRules,
  settlement: Settlement,
): Promise<Settlement> {
  const { context, command, turns, harvest } = finished;
  // Gates of documents execute no tests.
  const writesCode = mayCommit(context, command) && harvest.leaked.length === 0;
  const isDecided = isJudgedNext(context, command, settlement.outcome);
  const judged = writesCode && isDecided;
  const kept = writesCode && !judged ? await keepUnjudged(finished, settlement) : null;
  const claims = await answerClaims(finished, settling, {
    judged,
    isDecided,
    commit: kept?.commit ?? harvest.base,
  });
  const facts = [...turns.facts, ...harvest.facts, ...claims.facts, ...(settlement.facts ?? [])];
  return { ...settlement, facts, drafts: claims.drafts };
}

function keepUnjudged({ context, command, workspace, harvest }: AgentResult, { outcome, text }: Settlement) {
  const reason = `unfinished, the agent ended with ${outcome}${text ? `: ${text}` : ""}`;
  return rescueWork(context, {
    key: command.key,
    reason,
    work: {
      workspace: workspace.path,
      base: workspace.work.folder === null ? workspace.commit : harvest.base,
    },
  });
}

/** The agent's decision, or the one that follows from how the agent ended. */
async function decide(finished: AgentResult): Promise<Decision> {
  const { context, command, turns } = finished;
  const { outcome, decision } = turns;
  if (decision) return decision;
  if (outcome.type === "timeout") return { status: "TO", message: outcome.why };
  if (outcome.type === "ok") {
    const { refusalReason } = turns;
    const why =
      refusalReason === null
        ? "the agent gave no decision"
        : `the agent's decision was refused: ${refusalReason}`;
    return { status: "EX", message: why };
  }
  const message = `the agent ${outcome.type}: ${outcome.why}`;
  const tried = await frozenAttemptOf(finished, outcome.why);
  if (tried === null) return { status: "EX", message };
  // Without a sandbox the agent would hand in the same change and the gate would refuse it: let the gate count it too.
  const status = command.reports.find((code) => isJudgedNext(context, command, code)) ?? "EX";
  return { status, message: `${refusedFrozen(tried)} (${message})`, tried };
}

async function frozenAttemptOf(
  { context, command, workspace }: AgentResult,
  why: string,
): Promise<string | null> {
  const { frozen } = context.session.view;
  if (frozen === null || writesOf(context, command) !== "source") return null;
  const roots = [workspace.path, await realpath(workspace.path)];
  return frozenAttempt(why, { roots, frozen: frozen.files, rules: context.settings.paths });
}

function refusedFrozen(path: string): string {
  return `it tried to change ${path}, which is frozen with the tests; if a test is wrong, it reports TI and says why`;
}

export function channelOf(decision: Decision | null): Pick<Settlement, "channel"> {
  return decision?.channel === undefined ? {} : { channel: decision.channel };
}

/** Turns the work into documents or a commit. `harvestWorkspace` rescued everything that the role may not write. */
export async function workFacts(finished: AgentResult, tried?: string): Promise<readonly RunEvent[]> {
  switch (writesOf(finished.context, finished.command)) {
    case "documents":
      return documentFacts(finished);
    case "tests":
      return commitWork(finished, "red");
    case "source":
      return commitWork(finished, "green", tried);
    case "scaffold":
      return commitWork(finished, "scaffold");
    case "mechanical":
      return commitWork(finished, "rebased");
    default:
      return [];
  }
}

/** The agent could not be used at all: a fault of the environment, never charged (CORE-13). */
function environmentFailure({ context, turns, command }: AgentResult): Settlement | null {
  const { outcome } = turns;
  if (outcome.type !== "missing" && outcome.type !== "auth") return null;
  const fact = environmentErrorFact({
    key: command.key,
    code: "agent_failed",
    message: `${command.role}: ${outcome.type}: ${outcome.why}`,
    hint: `fix it, then \`mettle resume ${context.run}\``,
    cause: outcome.type,
  });
  return { outcome: "inconclusive", text: fact.message, facts: [fact] };
}

/** The context window is over 80 % full, and the protocol has a route to restart the agent (ORC-79). */
function contextFull({ context, command, turns }: AgentResult): Settlement | null {
  if (turns.contextShare === null || turns.contextShare <= 0.8) return null;
  const restarts = Object.values(context.protocol.machines).some(
    (machine) =>
      machine.errors["CF"] !== undefined && machine.states[command.path.split("/")[0] ?? ""] !== undefined,
  );
  return restarts ? { outcome: "CF", text: "the agent's context is more than 80 % full" } : null;
}

async function review(finished: AgentResult): Promise<Settlement | null> {
  const { reply } = finished.command;
  if (reply === undefined) return null;
  return { ...(await settleReview(finished, reply)), ...channelOf(finished.turns.decision) };
}

function leakedSecret({ harvest: { leaked } }: AgentResult): Settlement | null {
  if (leaked.length === 0) return null;
  const text = `it wrote the value of a variable that it was given into ${leaked.join(", ")}; nothing of that is kept: code reads it from the environment`;
  return { outcome: "EX", text };
}

/** A read-only role that wrote files has failed (TDP-43). `harvestWorkspace` kept the files. */
function forbiddenWrite({ context, command, harvest: { outside } }: AgentResult): Settlement | null {
  if (writesOf(context, command) !== "none" || outside.length === 0) return null;
  return { outcome: "EX", text: `it wrote where it may not: ${outside.join(", ")}` };
}
