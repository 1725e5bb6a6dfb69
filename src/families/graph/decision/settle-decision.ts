/** Turns the decision of a node's agent into the outcome of its dispatch. */
import { putJson } from "../../../journal/payload-parts.ts";
import { envelopeOf } from "../../../protocol/envelope.ts";
import type { AgentResult } from "../../../family/agent-result.ts";
import type { Decision } from "../../../family/decision.ts";
import { channelOf, plainDecision, workFacts } from "../../../dispatch/settle.ts";
import type { Settlement } from "../../../run/settlement.ts";
import { settleNode } from "./settle-node.ts";
import { isNodeWork } from "../work.ts";

/** Commits the work first, because the runtime reports the commit's id. */
export async function settleNodeDecision(finished: AgentResult, decision: Decision): Promise<Settlement> {
  const { context, command } = finished;
  const { work } = finished.workspace;
  if (!isNodeWork(work)) return plainDecision(finished, decision);
  const { status, message, payload = null } = decision;
  const made = await workFacts(finished);
  const commit = made.find((fact) => fact.type === "commit.made") ?? null;
  const isDecision = command.reports.some((code) => code.split(".")[0] === status);
  const settled = isDecision
    ? await settleNode({ context, command, node: work.node, status, payload, commit })
    : { outcome: status, payload, facts: [] };
  const envelope = envelopeOf({ ...settled, payload: await putJson(context.payloads, settled.payload) });
  return {
    ...settled,
    payload: await putJson(context.payloads, { status, message, payload: settled.payload }),
    ...(envelope === null ? {} : { envelope }),
    text: message,
    ...channelOf(decision),
    facts: [...made, ...settled.facts],
  };
}
