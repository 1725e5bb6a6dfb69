/** Takes a session's decision about its open dispatch. The content of the checkout counts, not the claim of the session. */
import { AppError } from "../lib/errors.ts";
import { kindOf } from "../source/paths.ts";
import { treeOf } from "../git/objects/tree.ts";
import type { Agent } from "../agents/agent.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { EventOf, RunEvent } from "../log/run-event.ts";
import type { FamilyRun } from "../family/family.ts";
import { openDispatch } from "../families/cycles/active-state.ts";
import { takeEditedDesign } from "../families/cycles/edited-design.ts";
import { cycleWork } from "../families/cycles/work.ts";
import { allowedCodes } from "../dispatch/prompt/codes.ts";
import type { Decision } from "../family/decision.ts";
import { collectDecisions } from "../dispatch/channel/decisions.ts";
import type { AgentResult, Harvest } from "../family/agent-result.ts";
import { payloadSchemas } from "../dispatch/channel/payload-schemas.ts";
import { settleDispatch } from "../dispatch/settle.ts";
import { writesOf } from "../dispatch/workspace/workspace.ts";
import { finishRun } from "../engine/lifecycle.ts";
import { recorded } from "../run/list-runs.ts";
import { rescueWork } from "../run/rescue-work.ts";
import { changedSince, treeOfWork } from "../run/checkout.ts";
import { holderOf } from "./advance.ts";
import { approvalLapsed } from "./enter.ts";

export interface SessionReport {
  readonly status: string;
  readonly message?: string;
  readonly payload?: unknown;
}

export interface ReportResult {
  readonly line: string;
  readonly accepted: string;
}

export async function report(context: FamilyRun, sent: SessionReport): Promise<ReportResult> {
  const changed = await takeEditedDesign(context);
  if (changed.length > 0) throw approvalLapsed(context, changed);
  const command = await reportedDispatch(context, sent);
  const decision = await acceptDecision(context, command, sent);
  const line = context.session.view.commands[command.key]?.line ?? command.key;
  const harvest = await leftInCheckout(context, command);
  const path = context.repository.checkout;
  const work = await context.family.work(context, command, writesOf(context, command));
  const finished: AgentResult = {
    context,
    command,
    agent: session,
    workspace: {
      name: "checkout",
      path,
      commit: harvest.base,
      documents: {},
      initialFingerprint: null,
      work,
    },
    turns: {
      // Other messages of the session are not known here.
      outcome: { type: "ok", text: "" },
      output: "",
      final: "",
      decision,
      refusalReason: null,
      contextShare: null,
      gate: null,
      facts: [],
    },
    harvest,
  };
  const settlement = await settleDispatch(finished, context.family);
  const { ignored } = await context.session.settle(command.key, settlement);
  if (ignored !== null) throw alreadyReported(line);
  const { ended } = context.session.view;
  if (ended) await finishRun(context, { type: "ended", outcome: ended.outcome });
  return { line, accepted: settlement.outcome };
}

/** The dispatch that a session has taken; a report without one is journaled and refused (TDP-76). */
async function reportedDispatch(context: FamilyRun, sent: SessionReport): Promise<DispatchCommand> {
  const command = openDispatch(context);
  if (command !== null && holderOf(context, command) !== null) return command;
  const before = await refuseReport(context, sent, "no dispatch is open");
  if (before === null) throw new AppError("no_dispatch", "no dispatch is open", { hint: "call next" });
  throw alreadyReported(context.session.view.commands[before]?.line ?? before);
}

/** Further refused reports are not journaled. */
const maxRefused = 100;

/** Journals a refused report under the last open dispatch. @returns the key of that dispatch; null: none */
export async function refuseReport(
  { session }: Pick<FamilyRun, "session">,
  { status }: SessionReport,
  why: string,
): Promise<string | null> {
  const { view } = session;
  const before = view.order.findLast((key) => view.dispatches[key] !== undefined) ?? null;
  await recordRefused(session, [{ type: "report.refused", key: before ?? "", why: `${status}: ${why}` }]);
  return before;
}

/** Journals refused reports, up to the limit for each dispatch. */
async function recordRefused(
  session: FamilyRun["session"],
  events: readonly EventOf<"report.refused">[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const kept = (await session.ports.journal.read(session.view.run)).map(recorded);
  const own = kept.filter(
    ({ type, ...event }) => type === "report.refused" && "key" in event && event.key === first.key,
  );
  if (own.length < maxRefused) await session.record(events);
}

function alreadyReported(line: string): AppError {
  return new AppError("already_reported", `${line} is decided; the first decision counts`, {
    hint: "call next",
  });
}

async function acceptDecision(
  context: FamilyRun,
  command: DispatchCommand,
  sent: SessionReport,
): Promise<Decision> {
  const schemas = payloadSchemas(context.payloadKinds, command, context.protocol.roles[command.role]);
  const decisions = collectDecisions(command, context.host.secrets, schemas);
  const offer = decisions.offer(sent, "mcp");
  const decision = decisions.accepted();
  if (offer.type === "accepted" && decision !== null) return decision;
  await recordRefused(context.session, decisions.refused());
  const why = offer.type === "refused" ? offer.why : "it is not a report";
  const codes = allowedCodes(command).join(", ");
  if (offer.type === "refused" && offer.field === "status")
    throw new AppError("code_not_allowed", why, { hint: `report one of: ${codes}` });
  throw new AppError("bad_payload", why, { hint: "fix that field and report again" });
}

/** Reads the work of QA and DE from the checkout. Other roles must not have changed anything (TDP-43). */
async function leftInCheckout(context: FamilyRun, command: DispatchCommand): Promise<Harvest> {
  const {
    repository,
    session: { view },
    settings,
    started,
  } = context;
  const work = cycleWork(context, command);
  const accepted = view.head.branch ?? started.base;
  const base = work?.from ?? view.dispatches[command.key]?.before ?? accepted;
  const writes = writesOf(context, command);
  if (work !== null && writes !== "none") {
    const before = view.dispatches[command.key]?.before ?? base;
    const kinds = writes === "tests" ? ["test", "fixture"] : ["source"];
    const isItsOwn = (path: string) => kinds.includes(kindOf(path, settings.paths));
    const tree = await treeOfWork(repository, { base, before, isItsOwn });
    return { tree, base, documents: [], outside: [], leaked: [], facts: [] };
  }
  const outside = await changedSince(repository, base);
  const tree = await treeOf(repository, base);
  if (outside.length === 0) return { tree, base, documents: [], outside, leaked: [], facts: [] };
  const reason = "written where the role may not write";
  await rescueWork(context, { key: command.key, reason, work: { workspace: repository.checkout, base } });
  const written: RunEvent = {
    type: "outside.write",
    key: command.key,
    place: "checkout",
    paths: [...outside],
  };
  return { tree, base, documents: [], outside, leaked: [], facts: [written] };
}

/** The session as an agent: only its name is used, the runtime never starts it. */
const session: Agent = {
  name: "session",
  vendor: "session",
  remembers: true,
  probe: () => Promise.resolve({ type: "ready", version: "" }),
  start: () =>
    Promise.reject(
      new AppError("internal", "a session is not started by the runtime", { hint: "call next" }),
    ),
};
