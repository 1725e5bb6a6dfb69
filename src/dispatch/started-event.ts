/** The event of a dispatch whose agent starts, with its prompt stored. */
import type { Agent } from "../agents/agent.ts";
import type { Prompt } from "../family/family.ts";
import type { Workspace } from "../family/work.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunContext } from "../run/context.ts";
import type { ConversationThread } from "./prompt/conversation.ts";
import type { EventOf } from "../log/run-event.ts";
import { storeText } from "../run/stored-text.ts";
import type { AgentNetwork } from "./sandbox/agent-network.ts";
import type { SpecWithoutPrompt } from "./spec.ts";

interface StartedAgent {
  readonly context: RunContext;
  readonly command: DispatchCommand;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly prompt: Prompt;
  readonly threaded: ConversationThread;
  readonly spec: SpecWithoutPrompt;
  readonly isolation: string;
  readonly account: string;
  readonly network: AgentNetwork | null;
}

export async function startedEvent(started: StartedAgent): Promise<EventOf<"dispatch.started">> {
  const { context, command, agent, workspace, spec, isolation, account, network } = started;
  return {
    type: "dispatch.started",
    key: command.key,
    role: command.role,
    ...(spec.node === undefined ? {} : { node: spec.node }),
    agent: agent.name,
    vendor: agent.vendor,
    account,
    conversation: spec.conversation.id,
    resumed: spec.conversation.type !== "new",
    workspace: workspace.path,
    isolation,
    ...(context.home.store.kind === "local" ? {} : { home: context.home.store.home }),
    ...(network === null ? {} : { hosts: [...network.hosts] }),
    ...(await promptPayloads(started)),
  };
}

/** Stores the prompt, and also the message alone if a transcript precedes it. */
async function promptPayloads({ context, prompt, threaded }: StartedAgent) {
  const { thread, knows, before } = threaded;
  return {
    prompt: await storeText(context, prompt.text),
    ...(thread === null ? {} : { thread }),
    ...(knows === null ? {} : { knows }),
    ...(before.length === 0 ? {} : { message: await storeText(context, prompt.message) }),
  };
}
