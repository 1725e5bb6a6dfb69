/** What a finished dispatch means: the outcome for the kernel, and the facts seen on the way. */
import { realpath } from "node:fs/promises";
import { canonicalJson } from "../lib/hash.ts";
import { putJson } from "../journal/payload-parts.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { RunContext } from "../run/context.ts";
import type { Settlement } from "../run/settlement.ts";
import { stoppedFact } from "../run/stopped.ts";
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

/** The decision as it stands, and what was handed in with it. A family may do more. */
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

/** What the run takes from the payload of a decision, by its kind. The payload was checked when it was reported. */
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

/** Nobody has answered it yet: the agent goes on when somebody has (ENV-88). */
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

/** Who may approve and said nothing that can be read has approved nothing (TDP-44). */
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

/** Whoever may write nothing and did has not done its work (TDP-43). What it wrote was kept by harvest. */
function wroteForbidden({ context, command, left }: AgentResult): boolean {
  return writesOf(context, command) === "none" && left.outside.length > 0;
}

/** The outcome with what happened on the way, the claims answered, and work kept that no gate looks at (CORE-71). */
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
  const said = `the agent ${outcome.type}: ${outcome.why}`;
  const tried = await frozenAttemptOf(finished, outcome.why);
  if (tried === null) return { status: "EX", message: said };
  // Without a sandbox the same attempt is handed in and refused by the gate: so it is judged and counted there too.
  const handsIn = command.reports.find((code) => isJudgedNext(context, command, code)) ?? "EX";
  return { status: handsIn, message: `${refusedFrozen(tried)} (${said})`, tried };
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

/** What the role may leave behind becomes documents or a commit; a document role's other changes were rescued by harvest. */
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

/** What is nobody's fault in the run: the agent could not be used at all. Never charged (CORE-13). */
function environmentFailure({
  context,
  turns,
  command,
}: AgentResult): Extract<RunEvent, { type: "warned" }> | null {
  const { outcome } = turns;
  if (outcome.type !== "missing" && outcome.type !== "auth" && outcome.type !== "rate_limited") return null;
  return stoppedFact({
    key: command.key,
    code: "agent_failed",
    message: `${command.role}: ${outcome.type}: ${outcome.why}`,
    hint: `mend it, then \`mettle resume ${context.run}\``,
    cause: outcome.type,
  });
}

/** ORC-79: restart from the documents before the agent forgets, where the protocol has a route for it. */
function contextFull({ context, command, turns }: AgentResult): boolean {
  if (turns.contextShare === null || turns.contextShare <= 0.8) return false;
  return Object.values(context.protocol.machines).some(
    (machine) =>
      machine.errors["CF"] !== undefined && machine.states[command.path.split("/")[0] ?? ""] !== undefined,
  );
}
