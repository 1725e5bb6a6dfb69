/** `mettle verify` for printed steps: their merges are proved in the plan's record chain, so that chain is verified. */
import { verifyChain } from "../../evidence/chain.ts";
import { signedRecords } from "../../evidence/trusted-keys.ts";
import { parseRecord } from "../../evidence/record.ts";
import { readRecords, type PlanRecord } from "../../plans/merge/verification.ts";
import type { PlanLocation } from "../../plans/find-plan.ts";
import { listPrompts, type PlanPrompt } from "../../plans/prompt/prompt.ts";
import { readGitState } from "../../plans/prompt/missing-steps.ts";
import { idText } from "../../plans/prompt/prompt-id.ts";
import type { RunContext } from "../../run/context.ts";
import type { OwnEvidence } from "../../family/own-evidence.ts";
import { isOfWorkers } from "../../run/run-host.ts";
import { withPackedPlan, type ReadPlan } from "./handover/packed-plan.ts";
import { planOfRun } from "./work.ts";
import { storedText } from "../../run/stored-text.ts";

export async function verifyPlan(context: RunContext): Promise<OwnEvidence> {
  if (isOfWorkers(context)) return withPackedPlan(context, (plan) => verifyAt(context, plan));
  const plan = await planOfRun(context);
  const isMerged = async (prompt: PlanPrompt) => (await readGitState(plan, prompt)).isMerged;
  return verifyAt(context, { ...plan, isMerged });
}

async function verifyAt(context: RunContext, plan: ReadPlan): Promise<OwnEvidence> {
  const sealed = await readRecords(plan);
  const chain = await verifiedChain(context, plan, sealed);
  if (chain.fault !== null) return { ...chain, more: sealed.length };
  return { ...chain, more: sealed.length, fault: await promptFault(plan, sealed) };
}

async function verifiedChain(
  context: RunContext,
  plan: PlanLocation,
  sealed: readonly PlanRecord[],
): Promise<Pick<OwnEvidence, "fault" | "signed">> {
  const envelopes: unknown[] = [];
  const written = [];
  for (const { id, ref, envelope } of sealed) {
    const [record, signed] = await Promise.all([storedText(context, ref), storedText(context, envelope)]);
    if (record === null || signed === null)
      return { fault: { why: `record ${id} is gone from the store, or was changed there`, record: id } };
    envelopes.push(JSON.parse(signed));
    written.push({ ...parseRecord(JSON.parse(record)), envelope });
  }
  const facts = { run: `envoy:${plan.branch}`, written, completed: [] };
  const chain = verifyChain(envelopes, await context.session.ports.trusted(), facts);
  if (chain.type === "whole") return { fault: null, signed: signedRecords(chain.records, chain.signers) };
  const why = `record ${chain.record ?? chain.place} of the plan: ${chain.why}`;
  return { fault: { why, record: chain.record } };
}

/** A merged prompt must be on the feature branch, proved by the record that it names. */
async function promptFault(plan: ReadPlan, sealed: readonly PlanRecord[]): Promise<OwnEvidence["fault"]> {
  for (const prompt of await listPrompts(plan)) {
    const { status, verification } = prompt.fields;
    if (status !== "merged") continue;
    const name = `prompt ${idText(prompt.id)}`;
    if (!(await plan.isMerged(prompt)))
      return { why: `${name} is called merged, and its commit is not on ${plan.branch}`, record: null };
    if (verification === null) continue;
    const record = sealed.find(({ ref }) => ref === verification.record);
    if (record?.verdict !== "pass")
      return {
        why: `${name} is called merged, and no record of the plan proves it`,
        record: record?.id ?? null,
      };
  }
  return null;
}
