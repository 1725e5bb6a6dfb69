/** Runs the agent's turns within one dispatch: the first, then one per reminder until it gives a decision. */
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
import { collectDecisions, type Decisions, type OfferResult } from "./channel/decisions.ts";
import { graphOfDispatch } from "./channel/graph-call.ts";
import { listen } from "./listen.ts";
import { decisionSchema } from "./channel/payload-schemas.ts";
import { nudge, oneTurn, type Nudges } from "./one-turn.ts";
import { claimPorts } from "./channel/ports.ts";
import { reminderFor, remindersOf } from "./prompt/remind.ts";
import type { Turns } from "../family/agent-result.ts";
import { saidFile, writeSaid, type SaidWriter } from "../run/live/said-file.ts";
import { startedEvent } from "./started-event.ts";
import { reviewOf } from "./review.ts";
import type { ConversationThread } from "./prompt/conversation.ts";
import { factsOfDispatch } from "./hook-facts.ts";
import { watchGate, type GateWatch } from "../family/open-gate.ts";
import type { AgentNetwork } from "./sandbox/agent-network.ts";
import { confineDispatch } from "./sandbox/confine-dispatch.ts";
import { accountOf } from "./limits/account.ts";
import type { Pause } from "./limits/pause-until.ts";
import { openPause } from "./limits/pauses.ts";
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

/** Opens the channel before the first turn and closes it after the last. @returns null: its account pauses (CORE-77) */
export async function playTurns(request: TurnsRequest): Promise<Turns | null> {
  const { context, command, agent, workspace } = request;
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
  let network: AgentNetwork | null = null;
  const said = writeSaid(saidFile(context.home, context.run, command.key), context.host.secrets);
  try {
    // A reviewer's text is its review, so it is not forced into a schema.
    const structured = agent.answers === "structured" && command.reply === undefined;
    const schema = structured ? decisionSchema(command, schemas) : null;
    const { conversation } = request.threaded;
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
    const { prompt } = request;
    const confined = await confineDispatch(context, {
      command,
      agent,
      workspace,
      home,
      socket,
      tools: prompt.tools,
    });
    const { confinement, isolation } = confined;
    ({ network } = confined);
    const confinedSpec = confinement === null ? spec : { ...spec, confinement };
    return await play(request, { spec: confinedSpec, isolation, network, decisions, gates, said });
  } finally {
    await said.close();
    gates.close();
    await network?.close();
    await ports.release();
    await channel.close();
    await graph?.close();
  }
}

async function play(
  request: TurnsRequest,
  {
    spec,
    isolation,
    network,
    decisions,
    gates,
    said,
  }: {
    readonly spec: SpecWithoutPrompt;
    readonly isolation: string;
    readonly network: AgentNetwork | null;
    readonly decisions: Decisions;
    readonly gates: GateWatch;
    readonly said: SaidWriter;
  },
): Promise<Turns | null> {
  const { context, command, agent, workspace, prompt } = request;
  const account = accountOf(context.settings, command.role);
  // Another agent may have reached the limit while this one's workspace was made.
  if ((await openPause(context, account)) !== null) return null;
  const signal = AbortSignal.any([request.signal, gates.signal]);
  await context.session.record([await startedEvent({ ...request, spec, isolation, account, network })]);
  await context.family.writeDocuments(context);
  const stream = listen(context, { command, decisions, said });
  const nudges: Nudges = {
    max: remindersOf(context.protocol, command.role),
    given: [],
    note: decisions.note,
  };
  const parts: string[] = [];
  let final = "";
  let refusal: OfferResult | null = null;
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
    const { sink } = stream;
    const ended = await oneTurn({ context, agent, spec: turn, sink, signal, nudges, isDecided: isReported });
    const outcome = withoutSecrets(ended, context.host.secrets);
    parts.push(outcome.text);
    refusal = offerAnswer(decisions, outcome) ?? stream.refusal();
    // An empty answer to a reminder does not replace the unreadable answer before it (ORC-78).
    if (isFirst || !isInvisible(outcome.text)) final = outcome.text;
    const decision = decisions.accepted();
    const isOver = (await isDecided({ command, workspace, final, decision })) || gates.met() !== null;
    const isReminded = isRemindable(context, outcome) && !isOver && nudges.given.length < nudges.max;
    // A reminder would start the agent, so its dispatch is repeated after the pause.
    const pause = isReminded ? await openPause(context, account) : null;
    if (isReminded && pause === null) {
      nudge(nudges, command.key);
      continue;
    }
    const output = parts.join("\n");
    const ref = await context.payloads.put(output);
    const facts: RunEvent[] = [
      { type: "agent.said", key: command.key, ref, bytes: Buffer.byteLength(output) },
      { type: "agent.used", key: command.key, ...stream.usage(), turns: parts.length },
      ...decisions.facts(),
      ...stream.denied(),
      ...(network?.refused(command.key, context.host.secrets) ?? []),
      ...decisions.changes().map((message): RunEvent => ({
        type: "warned",
        code: "payload_adapted",
        message: `${command.key}: ${message}`,
      })),
    ];
    const gate = decision === null ? gates.met() : null;
    const refusalReason = decisions.whyRefused();
    return {
      outcome: pause === null ? outcome : limitedOutcome(pause, outcome),
      output,
      final,
      decision,
      refusalReason,
      contextShare: stream.usage().context,
      gate,
      facts,
    };
  }
}

function limitedOutcome({ why, until }: Pause, { text }: AgentOutcome): AgentOutcome {
  return { type: "rate_limited", text, why, resets: { at: until } };
}

/** Masks secrets in the agent's output before it is stored or shown. */
function withoutSecrets(outcome: AgentOutcome, secrets: readonly string[]): AgentOutcome {
  const text = mask(outcome.text, secrets);
  return outcome.type === "ok" ? { ...outcome, text } : { ...outcome, text, why: mask(outcome.why, secrets) };
}

/** The turn ended normally, or it was stopped for silence in a family that reminds silent agents. */
function isRemindable({ family, settings }: FamilyRun, outcome: AgentOutcome): boolean {
  const isSilent = outcome.type === "timeout" && outcome.silent === true;
  return outcome.type === "ok" || (isSilent && family.silence(settings) !== null);
}

/** A reminder lists no codes in a family that reminds silent agents, unless a decision was refused (V3-49, 51). */
function promptForReminder(
  { family, settings }: FamilyRun,
  prompt: Prompt,
  refusal: OfferResult | null,
): Prompt {
  return family.silence(settings) !== null && refusal === null ? { ...prompt, codes: "" } : prompt;
}

interface TurnResult {
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
  readonly final: string;
  readonly decision: Decision | null;
}

/** A reviewer has decided when its review can be parsed or is empty; an empty review is not reminded. */
async function isDecided({ command, workspace, final, decision }: TurnResult): Promise<boolean> {
  // A reviewer may also report that it is blocked (ORC-53).
  if (command.reply === undefined || decision?.status === "BL") return decision !== null;
  const review = await reviewOf({ reply: command.reply, workspace, final, decision });
  return review.type !== "inconclusive";
}
