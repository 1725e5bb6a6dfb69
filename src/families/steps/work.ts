/** The printed protocol that a command's agent follows, with its inputs: of the run, of a prompt, or of a segment. */
import * as z from "zod";
import { invariant } from "../../lib/assert-never.ts";
import type { Command } from "../../kernel/command.ts";
import { branchCommit } from "../../git/repository.ts";
import { findPlan, type PlanLocation } from "../../plans/find-plan.ts";
import { parseId, readId, type PromptId } from "../../plans/prompt/prompt-id.ts";
import { readPrompt } from "../../plans/prompt/prompt.ts";
import type { RunContext } from "../../run/context.ts";
import { SegmentsPayload, segmentsOf, type Segment } from "./segments.ts";
import type { StepsStart } from "../../family/start-options.ts";

/** What the plan has to show in the end. */
export type Subject =
  { readonly type: "prompt"; readonly id: PromptId } | { readonly type: "findings"; readonly agent: string };

export interface StepsWork extends StepsStart {
  readonly subject: Subject;
  /** Id of its prompt or segment; empty if the run has none. */
  readonly item: string;
}

export async function stepsWork(context: RunContext, command: Command): Promise<StepsWork> {
  const work = await workAt(context, command);
  invariant(work, `${command.path} follows no printed steps`);
  return work;
}

/** Null if the command's agent follows no printed steps. */
export async function workAt(context: RunContext, command: Command): Promise<StepsWork | null> {
  const item = context.session.state.frames[command.frame]?.parent?.item ?? null;
  const { steps } = context.started;
  if (steps === undefined) return null;
  if (item === null) {
    const subject = subjectOf(steps);
    return subject === null ? null : { ...steps, subject, item: "" };
  }
  const id = steps.protocol === "continue" ? parseId(item) : null;
  return id === null ? segmentWork(context, item) : promptWork(context, id, item);
}

/** Null if no file of the plan would show that it was done. */
export function subjectOf({ inputs }: StepsStart): Subject | null {
  const { prompt_num: number, variant, agent_name: agent } = inputs;
  if (typeof number === "number")
    return {
      type: "prompt",
      id: readId(`${number}`, typeof variant === "string" && variant !== "" ? variant : null),
    };
  return typeof agent === "string" ? { type: "findings", agent } : null;
}

/** The plan of the run; throws if its branch is gone. */
export async function planOfRun({ repository, started, host }: RunContext): Promise<PlanLocation> {
  const featureBranch = featureBranchOf(started);
  const plan = await findPlan({ cwd: repository.root, path: host.path, featureBranch });
  await branchCommit(repository, plan.branch);
  return plan;
}

export function featureBranchOf({ steps, branch }: RunContext["started"]): string | null {
  const named = steps?.inputs["feature_branch"];
  return typeof named === "string" ? named : branch;
}

async function promptWork(context: RunContext, id: PromptId, item: string): Promise<StepsWork> {
  const { fields } = await readPrompt(await planOfRun(context), id);
  return {
    protocol: fields.kind === "debug" ? "debugging" : "implementation",
    inputs: {
      prompt_num: id.number,
      variant: id.variant,
      feature_branch: featureBranchOf(context.started),
    },
    subject: { type: "prompt", id },
    item,
  };
}

async function segmentWork(context: RunContext, item: string): Promise<StepsWork> {
  const { bug, segments } = await segmentsOfRun(context);
  const segment = segments.find(({ agent }) => agent === item);
  invariant(segment, `no segment is ${item}'s`);
  const { [item]: references = [] } = await referencesOf(context);
  return {
    protocol: bug ? "bug-discovery" : "discovery",
    inputs: {
      agent_name: item,
      segment_context: segment.requirements,
      ...(references.length === 0 ? {} : { approach_references: references }),
    },
    subject: { type: "findings", agent: item },
    item,
  };
}

/** The newest segments of the planner. */
export async function segmentsOfRun(
  context: Pick<RunContext, "session" | "payloads">,
): Promise<{ readonly bug: boolean; readonly segments: readonly Segment[] }> {
  const payload = await newestPayload(context, "SEGMENTS");
  const read = SegmentsPayload.parse((payload as { readonly payload: unknown } | null)?.payload);
  return { bug: read.bug, segments: segmentsOf(read) };
}

export const References = z.record(
  z.string(),
  z.array(
    z.object({ specialist_name: z.string(), approach_num: z.number(), variant: z.string().optional() }),
  ),
);
export type References = z.infer<typeof References>;

/** The approaches for which a person requested changes, by specialist; empty before the findings were decided. */
async function referencesOf(context: RunContext): Promise<References> {
  const payload = await newestPayload(context, "again");
  return payload === null ? {} : References.parse(payload);
}

async function newestPayload(
  { session, payloads }: Pick<RunContext, "session" | "payloads">,
  outcome: string,
): Promise<unknown> {
  const { commands, order } = session.view;
  const key = order.findLast((one) => commands[one]?.result?.outcome === outcome);
  const ref = key === undefined ? null : (commands[key]?.result?.payload ?? null);
  return ref === null ? null : JSON.parse(await payloads.text(ref));
}
