/** Settles a finished dispatch: its outcome for the kernel, and its facts. */
import { realpath } from "node:fs/promises";
import { canonicalJson } from "../lib/hash.ts";
import { putJson } from "../journal/payload-parts.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { environmentErrorFact } from "../run/environment-error.ts";
import { rescueWork } from "../run/rescue-work.ts";
import { commandIn, readText } from "../plans/gates/gate-files.ts";
import { gateMet, type OpenGate } from "../family/open-gate.ts";
import { answerClaims } from "./claims.ts";
import { commitWork } from "./workspace/commit.ts";
import { documentFacts } from "./workspace/documents.ts";
import { frozenAttempt } from "./workspace/frozen-attempt.ts";
import { isJudgedNext } from "./is-judged-next.ts";
import { settleReview } from "./review.ts";
import type { EffectiveDecision, AgentResult, SettlementRules, Turns } from "../family/agent-result.ts";
import { payloadNamesOf } from "./channel/payload-schemas.ts";
import { mayCommit, writesOf } from "./workspace/workspace.ts";

export async function settleDispatch(finished: AgentResult, settling: SettlementRules): Promise<Settlement> {
  return withFactsAndClaims(finished, settling, await settlementOf(finished, settling));
}

async function settlementOf(finished: AgentResult, settling: SettlementRules): Promise<Settlement> {
  const { command } = finished;
  const environment = environmentFailure(finished);
  if (environment)
    return {
      outcome: "inconclusive",
      text: environment.message,
      facts: [environment],
    };
  if (contextFull(finished)) return { outcome: "CF", text: "the agent's context is more than 80 % full" };
  if (command.reply !== undefined)
    return {
      ...(await settleReview(finished, command.reply)),
      ...channelOf(finished.turns),
    };
  const { leaked } = finished.left;
  if (leaked.length > 0)
    return {
      outcome: "EX",
      text: `it wrote the value of a variable that it was given into ${leaked.join(", ")}; nothing of that is kept: code reads it from the environment`,
    };
  if (wroteForbidden(finished))
    return {
      outcome: "EX",
      text: `it wrote where it may not: ${finished.left.outside.join(", ")}`,
    };
  const { gate } = finished.turns;
  if (gate !== null) return settleOpenGate(finished, gate);
  return settling.settle(finished, await decide(finished));
}

/** Settles the decision with its payload, for families that add nothing. */
export async function plainDecision(
  finished: AgentResult,
  { status, message, payload = null, tried }: EffectiveDecision,
): Promise<Settlement> {
  const { context, command, turns } = finished;
  const { facts, ...delivered } = await deliver(context, command, { status, payload });
  return {
    outcome: status,
    payload: await context.payloads.put(canonicalJson({ status, message, payload })),
    text: message,
    ...delivered,
    ...channelOf(turns),
    facts: [...(await workFacts(finished, tried)), ...unreadableReview(finished), ...facts],
  };
}

/** Takes items and documents out of a decision's payload, which was validated when it was reported. */
export async function deliver(
  { payloads, payloadKinds, protocol }: Pick<RunContext, "payloads" | "payloadKinds" | "protocol">,
  command: DispatchCommand,
  { status, payload }: Pick<EffectiveDecision, "status" | "payload">,
): Promise<Pick<Settlement, "items" | "list"> & { readonly facts: readonly RunEvent[] }> {
  const name = payloadNamesOf(command, protocol.roles[command.role])[status] ?? "";
  const { document, ...items } = payloadKinds[name]?.deliver?.(payload) ?? {};
  if (document === undefined) return { ...items, facts: [] };
  const ref = await payloads.put(canonicalJson(document));
  return { ...items, facts: [{ type: "document.written", name, ref, by: "agent", key: command.key }] };
}

/** The agent continues when a person has answered the gate (ENV-88). */
async function settleOpenGate(
  { context, command: { key } }: AgentResult,
  open: OpenGate,
): Promise<Settlement> {
  const { gate, file } = open;
  const command = commandIn(gate, (await readText(file)) ?? "");
  return {
    outcome: gateMet,
    payload: await putJson(context.payloads, open),
    text: `${gate} waits for a person`,
    facts: [{ type: "plan.gate_opened", key, gate, file, ...(command === null ? {} : { command }) }],
  };
}

const approvals: ReadonlySet<string> = new Set(["ACCEPT", "PA", "APPROVED"]);

/** A reviewer without a readable answer has approved nothing (TDP-44). */
function unreadableReview({ command, turns }: AgentResult): readonly RunEvent[] {
  const isReview = command.reports.some((code) => approvals.has(code));
  if (!isReview || turns.report !== null || turns.outcome.type !== "ok") return [];
  const why =
    turns.refusalReason === null
      ? "its answer names no code"
      : `its answer was refused: ${turns.refusalReason}`;
  const message = `${command.role}: inconclusive: ${why}`;
  return [{ type: "warned", code: "review_inconclusive", message }];
}

/** A read-only role that wrote files has failed (TDP-43). `harvest` kept the files. */
function wroteForbidden({ context, command, left }: AgentResult): boolean {
  return writesOf(context, command) === "none" && left.outside.length > 0;
}

/** Adds all facts, answers the claims, and saves work that no gate judges (CORE-71). */
async function withFactsAndClaims(
  finished: AgentResult,
  settling: SettlementRules,
  settlement: Settlement,
): Promise<Settlement> {
  const { context, command, turns, left } = finished;
  // Gates of documents execute no tests.
  const writesCode = mayCommit(context, command) && left.leaked.length === 0;
  const isDecided = isJudgedNext(context, command, settlement.outcome);
  const judged = writesCode && isDecided;
  const kept = writesCode && !judged ? await keepUnjudged(finished, settlement) : null;
  const claims = await answerClaims(finished, settling, {
    judged,
    isDecided,
    commit: kept?.commit ?? left.base,
  });
  const facts = [...turns.facts, ...left.facts, ...claims.facts, ...(settlement.facts ?? [])];
  return { ...settlement, facts, drafts: claims.drafts };
}

function keepUnjudged({ context, command, workspace, left }: AgentResult, { outcome, text }: Settlement) {
  const reason = `unfinished, the agent ended with ${outcome}${text ? `: ${text}` : ""}`;
  return rescueWork(context, {
    key: command.key,
    reason,
    work: { workspace: workspace.path, base: left.base },
  });
}

async function decide(finished: AgentResult): Promise<EffectiveDecision> {
  const { context, command, turns } = finished;
  const { outcome, report } = turns;
  if (report) return report;
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

export function channelOf({ report }: Turns): Pick<Settlement, "channel"> {
  return report === null ? {} : { channel: report.channel };
}

/** Turns the work into documents or a commit. `harvest` rescued everything that the role may not write. */
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
function environmentFailure({
  context,
  turns,
  command,
}: AgentResult): Extract<RunEvent, { type: "warned" }> | null {
  const { outcome } = turns;
  if (outcome.type !== "missing" && outcome.type !== "auth" && outcome.type !== "rate_limited") return null;
  return environmentErrorFact({
    key: command.key,
    code: "agent_failed",
    message: `${command.role}: ${outcome.type}: ${outcome.why}`,
    hint: `fix it, then \`mettle resume ${context.run}\``,
    cause: outcome.type,
  });
}

/** True if the context window is over 80 % full and the protocol has a route to restart the agent (ORC-79). */
function contextFull({ context, command, turns }: AgentResult): boolean {
  if (turns.contextShare === null || turns.contextShare <= 0.8) return false;
  return Object.values(context.protocol.machines).some(
    (machine) =>
      machine.errors["CF"] !== undefined && machine.states[command.path.split("/")[0] ?? ""] !== undefined,
  );
}
