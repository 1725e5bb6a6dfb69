/** All of Envoy at the channel of an agent that follows printed steps: obeyed here, where the store may be opened (CORE-98). */
import { z } from "zod";
import type { Calls } from "../../channel/server.ts";
import type { RunContext } from "../../run/context.ts";
import { answeredBy } from "../../runtime/dispatch/channel/envoy-call.ts";
import { loadEnvoy, type ToolAnswer } from "../../runtime/envoy-program.ts";
import { worktreeOfPrompt } from "./prompt-place.ts";
import { GateFile, type GateWatch } from "../../runtime/dispatch/channel/open-gate.ts";
import { featureBranchOf, type StepsWork } from "./work.ts";

/** @param work null for an agent that makes a plan and follows no printed steps */
export function workerEnvoy(context: RunContext, work: StepsWork | null, gates: GateWatch): Calls {
  return answeredBy(async ({ tool, args: given }) => {
    // What is no object has no arguments.
    const args = z.record(z.string(), z.unknown()).catch({}).parse(given);
    const answer = await callEnvoy(context, work, { tool, args });
    const waits = waitingGate(answer);
    if (waits !== null) gates.meet({ tool, args, ...waits });
    return answer;
  });
}

/**
 * As if it were called in the worktree of the prompt, or in the checkout.
 * @param waitMs how long a person is waited for, who has most likely answered already or will not do so soon
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
  // How long a person is waited for is the run's to say, and which plan is meant where the agent does not.
  const { wait: _, ...own } = args;
  const whole =
    tool === "envoy_protocol" || branch === null || own["feature_branch"] != null
      ? own
      : { ...own, feature_branch: branch };
  return callTool(tool, whole, { cwd, texts: "literal", which: "all", waitMs });
}

/** The gate that the answer says nobody has answered; null where it is no such answer. */
export function waitingGate({ exit, text }: ToolAnswer): z.infer<typeof GateFile> | null {
  if (exit !== 3) return null;
  const { error } = JSON.parse(text) as { readonly error?: { readonly detail?: unknown } };
  const detail = GateFile.safeParse(error?.detail);
  return detail.success ? detail.data : null;
}
