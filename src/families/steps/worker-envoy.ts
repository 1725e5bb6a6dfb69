/** The Envoy tools at the channel of an agent. They run in this process, which may open the store (CORE-98). */
import * as z from "zod";
import type { Calls } from "../../channel/server.ts";
import type { RunContext } from "../../run/context.ts";
import { envoyCallsBy } from "../../dispatch/channel/envoy-call.ts";
import { loadEnvoy, type ToolAnswer } from "../../plans/envoy-program.ts";
import { worktreeOfPrompt } from "./prompt-place.ts";
import { GateFile, type GateWatch } from "../../family/open-gate.ts";
import { featureBranchOf, type StepsWork } from "./work.ts";

/** @param work null for a planner, which follows no printed steps */
export function workerEnvoy(context: RunContext, work: StepsWork | null, gates: GateWatch): Calls {
  return envoyCallsBy(async ({ tool, args: given }) => {
    // Anything but an object counts as no arguments.
    const args = z.record(z.string(), z.unknown()).catch({}).parse(given);
    const answer = await callEnvoy(context, work, { tool, args });
    const waits = waitingGate(answer);
    if (waits !== null) gates.meet({ tool, args, ...waits });
    return answer;
  });
}

/**
 * Runs the tool as if in the worktree of the prompt, or in the checkout.
 * @param waitMs how long to wait for a person's answer, in milliseconds
 */
export async function callEnvoy(
  context: RunContext,
  work: StepsWork | null,
  { tool, args }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
  waitMs = 0,
): Promise<ToolAnswer> {
  const { callTool } = await loadEnvoy();
  const cwd = (work === null ? null : await worktreeOfPrompt(context, work)) ?? context.repository.root;
  const branch = featureBranchOf(context.started);
  // The run decides how long to wait, and which plan is meant if the agent does not say.
  const { wait: _, ...own } = args;
  const whole =
    tool === "envoy_protocol" || branch === null || own["feature_branch"] != null
      ? own
      : { ...own, feature_branch: branch };
  return callTool(tool, whole, { cwd, texts: "literal", which: "all", waitMs });
}

/** The unanswered gate that the answer reports; null for any other answer. */
export function waitingGate({ exit, text }: ToolAnswer): z.infer<typeof GateFile> | null {
  if (exit !== 3) return null;
  const { error } = JSON.parse(text) as { readonly error?: { readonly detail?: unknown } };
  const detail = GateFile.safeParse(error?.detail);
  return detail.success ? detail.data : null;
}
