/** The agent's turns within one dispatch: the first, and reminders while it gives no decision (design 5). */
import type { Agent, AgentEvent, AgentOutcome, Conversation } from "../../agents/agent.ts";
import { reportFromText } from "../../agents/report.ts";
import { isInvisible } from "../../gates/review-text.ts";
import { mask } from "../../lib/mask.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunEvent } from "../../kernel/run-event.ts";
import type { RunContext } from "../context.ts";
import { openChannel } from "../channel/channel.ts";
import { channelCalls } from "./channel-calls.ts";
import { collectDecisions, type Decisions, type Report } from "./decisions.ts";
import { reviewOf } from "./review.ts";
import { agentSpec, type SpecWithoutPrompt } from "./spec.ts";
import type { Prompt } from "./prompt.ts";
import type { Workspace } from "./workspace.ts";

/** Reminders in one dispatch; uncharged. */
const reminders = 1;
export const reminder = "REMINDER: Emit a decision to complete this phase";

export interface Turns {
  /** How the last turn ended. */
  readonly outcome: AgentOutcome;
  /** Everything the agent said, masked. */
  readonly said: string;
  /** What it said in the last turn in which it said something: where claims and verdicts are read. */
  readonly final: string;
  /** The first accepted decision, null when there was none. */
  readonly report: Report | null;
  /** Highest share of the context window it told of, 0 to 1. */
  readonly contextShare: number | null;
  readonly facts: readonly RunEvent[];
}

export interface Playing {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
}

/** The channel is open as long as the agent may be at work, and no longer. */
export async function playTurns(playing: Playing): Promise<Turns> {
  const { context, command } = playing;
  const decisions = collectDecisions(command, context.host.secrets);
  const channel = await openChannel(channelCalls(command, decisions));
  try {
    const spec = agentSpec(context, { command, workspace: playing.workspace, channel });
    return await play(playing, { spec, decisions });
  } finally {
    await channel.close();
  }
}

async function play(
  playing: Playing,
  { spec, decisions }: { readonly spec: SpecWithoutPrompt; readonly decisions: Decisions },
): Promise<Turns> {
  const { context, command, agent, workspace, prompt, signal } = playing;
  await context.session.record([
    {
      type: "dispatch.started",
      key: command.key,
      role: command.role,
      agent: agent.name,
      vendor: agent.vendor,
      conversation: spec.conversation.id,
      resumed: spec.conversation.type !== "new",
      workspace: workspace.path,
      isolation: "none",
      prompt: await context.payloads.put(prompt.text),
    },
  ]);
  const heard = listen(context, { command, decisions });
  const nudges: RunEvent[] = [];
  const parts: string[] = [];
  let final = "";
  for (let nudge = 0; ; nudge++) {
    const text = nudge === 0 ? prompt.text : reminderFor(agent, prompt);
    const { tools, model } = prompt;
    const turn = {
      ...spec,
      prompt: text,
      nudge,
      tools,
      model,
      conversation: goesOn(spec.conversation, nudge),
    };
    const outcome = withoutSecrets(await agent.start(turn, heard.sink, signal), context.host.secrets);
    parts.push(outcome.text);
    offerText(decisions, outcome.text);
    // Silence after a reminder does not make the unreadable answer before it an empty one (ORC-78).
    if (nudge === 0 || !isInvisible(outcome.text)) final = outcome.text;
    const report = decisions.accepted();
    const decided = await isDecided({ command, workspace, final, report });
    if (outcome.type === "ok" && !decided && nudge < reminders) {
      nudges.push({ type: "agent.nudged", key: command.key, nudge: nudge + 1 });
      continue;
    }
    const said = parts.join("\n");
    const ref = await context.payloads.put(said);
    const facts: RunEvent[] = [
      { type: "agent.said", key: command.key, ref, bytes: Buffer.byteLength(said) },
      { type: "agent.used", key: command.key, ...heard.usage() },
      ...nudges,
      ...heard.denied(),
      ...decisions.refused(),
    ];
    return { outcome, said, final, report, contextShare: heard.usage().context, facts };
  }
}

/** Nothing that an agent or its program says is kept or shown as it came. */
function withoutSecrets(outcome: AgentOutcome, secrets: readonly string[]): AgentOutcome {
  const text = mask(outcome.text, secrets);
  return outcome.type === "ok" ? { ...outcome, text } : { ...outcome, text, why: mask(outcome.why, secrets) };
}

/** Who remembers nothing is told everything again. */
function reminderFor({ remembers }: Agent, { text, codes }: Prompt): string {
  const said = `${reminder}\n\n${codes}`;
  return remembers ? said : `${text}\n\n${said}`;
}

/** A reminder is said in the conversation that the first turn began. */
function goesOn(conversation: Conversation, nudge: number): Conversation {
  return nudge === 0 ? conversation : { type: "resume", id: conversation.id };
}

interface Said {
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
  readonly final: string;
  readonly report: Report | null;
}

/** A reviewer decides by a review that can be read; silence is no answer and is not reminded. */
async function isDecided({ command, workspace, final, report }: Said): Promise<boolean> {
  // "I don't know" is an answer of a reviewer too (ORC-53).
  if (command.reply === undefined || report?.status === "BL") return report !== null;
  const review = await reviewOf({ reply: command.reply, workspace, final, report });
  return review.type !== "inconclusive";
}

/** An agent that is refused again and again does not fill the journal. */
const mostDenied = 20;
const mostDetail = 1000;

/** Hears the stream of one dispatch: reports are decisions, the rest is for whoever watches. */
function listen(
  context: RunContext,
  { command, decisions }: { readonly command: DispatchCommand; readonly decisions: Decisions },
) {
  const denied: RunEvent[] = [];
  let share: number | null = null;
  let tokens: number | null = null;
  let costUsd: number | null = null;
  return {
    denied: () => denied.slice(0, mostDenied),
    usage: () => ({ context: share, tokens, costUsd }),
    sink(event: AgentEvent): void {
      if (event.type === "report") decisions.offer(event);
      if (event.type === "denied") {
        const detail = mask(event.detail, context.host.secrets).slice(0, mostDetail);
        denied.push({ type: "agent.denied", key: command.key, tool: event.name, detail });
      }
      if (event.type === "usage") {
        if (event.context !== undefined) share = Math.max(share ?? 0, event.context);
        if (event.inputTokens !== undefined || event.outputTokens !== undefined)
          tokens = (tokens ?? 0) + (event.inputTokens ?? 0) + (event.outputTokens ?? 0);
        if (event.costUsd !== undefined) costUsd = (costUsd ?? 0) + event.costUsd;
      }
      const told = event.type === "text" ? event.text : event.type === "tool" ? event.name : event.type;
      const what = mask(told, context.host.secrets);
      context.progress({ type: "agent", key: command.key, role: command.role, agent: "", what });
    },
  };
}

/** The last line of a turn is a decision too, the last of that turn. */
function offerText(decisions: Decisions, text: string): void {
  const report = reportFromText(text);
  if (report !== null) decisions.offer(report);
}
