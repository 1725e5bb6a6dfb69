/** Runs one dispatch: prepares workspace and prompt, runs the agent's turns, collects its work, settles the outcome. */
import type { Agent } from "../agents/agent.ts";
import { AppError } from "../lib/errors.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { FamilyRun } from "../family/family.ts";
import type { Settlement } from "../run/settlement.ts";
import { refuseUsedBudget } from "./budget.ts";
import { readableBy } from "./holdout/told.ts";
import { withholdTests } from "./holdout/withhold.ts";
import { conversationFor } from "./prompt/conversation.ts";
import { harvestWorkspace } from "./workspace/harvest.ts";
import { renderPrompt } from "./prompt/prompt.ts";
import { environmentErrorFact } from "../run/environment-error.ts";
import type { AgentResult } from "../family/agent-result.ts";
import { settleDispatch } from "./settle.ts";
import { withTranscript } from "./prompt/transcript.ts";
import { noteUse } from "./limits/day-use.ts";
import { pauseDispatch } from "./limits/waiting.ts";
import { playTurns } from "./turns.ts";
import { prepareWorkspace, removeWorkspace, writesOf } from "./workspace/workspace.ts";

/**
 * @returns null if the dispatch was stopped, or its account has reached a usage limit: its command stays open, and is run
 *   again by the next drive, or after the pause
 */
export async function runDispatch(
  context: FamilyRun,
  command: DispatchCommand,
  signal: AbortSignal,
): Promise<Settlement | null> {
  await refuseUsedBudget(context, command.role);
  const agent = await agentOf(context, command);
  const probe = await agent.probe();
  if (probe.type === "missing")
    throw new AppError(
      "agent_missing",
      `the agent ${agent.name} for ${command.role} is missing: ${probe.why}`,
      {
        hint: probe.hint,
      },
    );
  const { family } = context;
  const work = await family.work(context, command, writesOf(context, command));
  await withholdTests(context, command, work);
  const workspace = await prepareWorkspace(context, command, work);
  const threaded = await conversationFor(context, command, agent);
  const own = await renderPrompt(context, command, { asks: agent.withoutMcp !== true });
  const whole = await withTranscript(context.payloads, threaded.before, own.message);
  const text = readableBy(context, command)(whole);
  const prompt = { ...own, text };
  const startedMs = context.clock.now();
  const turns = await playTurns({ context, command, agent, workspace, prompt, threaded, signal });
  if (turns === null) return null;
  await noteUse(context, { ...turns, startedMs });
  if (turns.outcome.type === "rate_limited") {
    await pauseDispatch(context, command, { ...turns, startedMs });
    return null;
  }
  if (turns.outcome.type === "aborted" && (turns.gate === null || signal.aborted)) return null;
  if (turns.outcome.type === "mismatch")
    throw new AppError("cassette_mismatch", turns.outcome.why, {
      hint: "fix the cassette, then `mettle resume`",
    });
  const harvest = await harvestWorkspace({ context, command, workspace }).catch((error: unknown) =>
    settleWithoutWorkspace({ context, command, turns }, error),
  );
  if ("outcome" in harvest) return harvest;
  const finished = { context, command, agent, workspace, turns, harvest };
  await family.onAgentEnded(finished);
  const settlement = await settleDispatch(finished, family);
  await removeWorkspace(context, workspace);
  return settlement;
}

/** Journals the agent's output and cost even if its workspace is gone or unreadable. */
function settleWithoutWorkspace(
  { context, command, turns }: Pick<AgentResult, "context" | "command" | "turns">,
  error: unknown,
): Settlement {
  if (!(error instanceof AppError) || error.code !== "worktree_failed") throw error;
  const { code } = error;
  const message = `${command.role}: ${error.message}`;
  const hint = `\`mettle resume ${context.run}\` starts its agent again in a new workspace`;
  const stopped = environmentErrorFact({ key: command.key, code, message, hint });
  return { outcome: "inconclusive", text: stopped.message, facts: [...turns.facts, stopped] };
}

/** The agent was available when the run started, so a failure here is one of the environment (ORC-91). */
async function agentOf(context: FamilyRun, command: DispatchCommand): Promise<Agent> {
  try {
    return await context.agentOf(command);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("agent_missing", `the agent for ${command.role} cannot be used: ${error.message}`, {
      hint: `${error.hint}; then \`mettle resume ${context.run}\``,
      cause: error,
    });
  }
}
