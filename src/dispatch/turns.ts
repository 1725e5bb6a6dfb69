/** The agent's turns within one dispatch: the first, and reminders while it gives no decision (design 5). */
import type { Agent, AgentOutcome, AgentSpec } from "../agents/agent.ts";
import { isInvisible } from "../gates/review/review-text.ts";
import { mask } from "../lib/mask.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunEvent } from "../log/run-event.ts";
import type { FamilyRun, Prompt } from "../family/family.ts";
import { openChannel } from "../channel/channel.ts";
import { offerAnswer } from "./channel/answer.ts";
import { channelCalls } from "./channel/channel-calls.ts";
import type { Decision } from "../family/decision.ts";
import { collectDecisions, type Decisions, type Offer } from "./channel/decisions.ts";
import { graphOfDispatch } from "./channel/graph-call.ts";
import { listen } from "./listen.ts";
import { decisionSchema } from "./channel/payload-schemas.ts";
import { nudge, oneTurn, type Nudges } from "./one-turn.ts";
import { claimPorts } from "./channel/ports.ts";
import { reminderFor, remindersOf } from "./prompt/remind.ts";
import type { Turns } from "../family/agent-result.ts";
import { reviewOf } from "./review.ts";
import type { ConversationThread } from "./prompt/conversation.ts";
import { factsOfDispatch } from "./hook-facts.ts";
import { watchGate, type GateWatch } from "../family/open-gate.ts";
import { confineDispatch } from "./sandbox/confine-dispatch.ts";
import { agentSpec, type SpecWithoutPrompt } from "./spec.ts";
import type { Workspace } from "../family/work.ts";
import { stateLineOf } from "../views/run/run-state-line.ts";

export interface TurnsRequest {
  readonly context: FamilyRun;
  readonly command: DispatchCommand;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly prompt: Prompt;
  readonly threaded: ConversationThread;
  readonly signal: AbortSignal;
}

/** The channel is open as long as the agent may be at work, and no longer. */
export async function playTurns(playing: TurnsRequest): Promise<Turns> {
  const { context, command, agent, workspace } = playing;
  const { family } = context;
  const { schemas, judge } = await family.payloads(context, command, workspace.path);
  const decisions = collectDecisions(command, context.host.secrets, schemas, judge);
  const isDecided = () => decisions.accepted() !== null;
  const gates = watchGate(context.clock);
  const { speaker = null, ...own } = family.calls(context, command, {
    work: workspace.work,
    isDecided,
    gates,
  });
  const graph = graphOfDispatch(context, command, speaker);
  const channel = await openChannel(
    channelCalls(command, decisions, {
      graph,
      ...own,
      hook: () => factsOfDispatch(context, command, workspace.path),
      line: () => stateLineOf(context.session.view),
    }),
  );
  const ports = await claimPorts();
  try {
    // A reviewer's words are its review, so they must stay its own.
    const structured = agent.answers === "structured" && command.reply === undefined;
    const schema = structured ? decisionSchema(command, schemas) : null;
    const { conversation } = playing.threaded;
    const spec = agentSpec(context, {
      command,
      workspace,
      conversation,
      channel,
      portBase: ports.base,
      schema,
    });
    const { home } = spec;
    const { socket } = channel;
    const { prompt } = playing;
    const confined = await confineDispatch(context, {
      command,
      agent,
      workspace,
      home,
      socket,
      tools: prompt.tools,
    });
    const { confinement, isolation } = confined;
    const held = confinement === null ? spec : { ...spec, confinement };
    return await play(playing, { spec: held, isolation, decisions, gates });
  } finally {
    gates.close();
    await ports.release();
    await channel.close();
    await graph?.close();
  }
}

async function play(
  playing: TurnsRequest,
  {
    spec,
    isolation,
    decisions,
    gates,
  }: {
    readonly spec: SpecWithoutPrompt;
    readonly isolation: string;
    readonly decisions: Decisions;
    readonly gates: GateWatch;
  },
): Promise<Turns> {
  const { context, command, agent, workspace, prompt } = playing;
  const signal = AbortSignal.any([playing.signal, gates.signal]);
  await context.session.record([
    {
      type: "dispatch.started",
      key: command.key,
      role: command.role,
      ...(spec.node === undefined ? {} : { node: spec.node }),
      agent: agent.name,
      vendor: agent.vendor,
      conversation: spec.conversation.id,
      resumed: spec.conversation.type !== "new",
      workspace: workspace.path,
      isolation,
      ...(await promptPayloads(playing)),
    },
  ]);
  await context.family.project(context);
  const heard = listen(context, { command, decisions });
  const nudges: Nudges = {
    max: remindersOf(context.protocol, command.role),
    given: [],
    note: decisions.note,
  };
  const parts: string[] = [];
  let final = "";
  let refusal: Offer | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const text = isFirst
      ? prompt.text
      : reminderFor(agent, promptForReminder(context, prompt, refusal), refusal);
    const { tools, model } = prompt;
    const turn: AgentSpec = {
      ...spec,
      prompt: text,
      nudge: nudges.given.length,
      tools,
      model,
      conversation: isFirst ? spec.conversation : { type: "resume", id: spec.conversation.id },
    };
    const isReported = () => decisions.accepted() !== null;
    const { sink } = heard;
    const ended = await oneTurn({ context, agent, spec: turn, sink, signal, nudges, isDecided: isReported });
    const outcome = withoutSecrets(ended, context.host.secrets);
    parts.push(outcome.text);
    refusal = offerAnswer(decisions, outcome) ?? heard.refusal();
    // Silence after a reminder does not make the unreadable answer before it an empty one (ORC-78).
    if (isFirst || !isInvisible(outcome.text)) final = outcome.text;
    const report = decisions.accepted();
    const decided = await isDecided({ command, workspace, final, report });
    const isOver = decided || gates.met() !== null;
    if (isRemindable(context, outcome) && !isOver && nudges.given.length < nudges.max) {
      nudge(nudges, command.key);
      continue;
    }
    const said = parts.join("\n");
    const ref = await context.payloads.put(said);
    const facts: RunEvent[] = [
      { type: "agent.said", key: command.key, ref, bytes: Buffer.byteLength(said) },
      { type: "agent.used", key: command.key, ...heard.usage() },
      ...decisions.told(),
      ...heard.denied(),
      ...decisions.changes().map((message): RunEvent => ({
        type: "warned",
        code: "payload_adapted",
        message: `${command.key}: ${message}`,
      })),
    ];
    const gate = report === null ? gates.met() : null;
    const refusalReason = decisions.whyRefused();
    return {
      outcome,
      said,
      final,
      report,
      refusalReason,
      contextShare: heard.usage().context,
      gate,
      facts,
    };
  }
}

/** Its own message by itself, where the prompt begins with what was said in another conversation. */
async function promptPayloads({ context, prompt, threaded }: TurnsRequest) {
  const { thread, knows, before } = threaded;
  return {
    prompt: await context.payloads.put(prompt.text),
    ...(thread === null ? {} : { thread }),
    ...(knows === null ? {} : { knows }),
    ...(before.length === 0 ? {} : { message: await context.payloads.put(prompt.message) }),
  };
}

/** Nothing that an agent or its program says is kept or shown as it came. */
function withoutSecrets(outcome: AgentOutcome, secrets: readonly string[]): AgentOutcome {
  const text = mask(outcome.text, secrets);
  return outcome.type === "ok" ? { ...outcome, text } : { ...outcome, text, why: mask(outcome.why, secrets) };
}

/** A turn that ended; where silence is reminded also one that was ended because nothing came of it. */
function isRemindable({ family, settings }: FamilyRun, outcome: AgentOutcome): boolean {
  const isSilent = outcome.type === "timeout" && outcome.silent === true;
  return outcome.type === "ok" || (isSilent && family.silence(settings) !== null);
}

/** Where silence is reminded, a reminder is its sentence alone, unless a decision was refused (V3-49, 51). */
function promptForReminder({ family, settings }: FamilyRun, prompt: Prompt, refusal: Offer | null): Prompt {
  return family.silence(settings) !== null && refusal === null ? { ...prompt, codes: "" } : prompt;
}

interface TurnResult {
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
  readonly final: string;
  readonly report: Decision | null;
}

/** A reviewer decides by a review that can be read; silence is no answer and is not reminded. */
async function isDecided({ command, workspace, final, report }: TurnResult): Promise<boolean> {
  // "I don't know" is an answer of a reviewer too (ORC-53).
  if (command.reply === undefined || report?.status === "BL") return report !== null;
  const review = await reviewOf({ reply: command.reply, workspace, final, report });
  return review.type !== "inconclusive";
}
