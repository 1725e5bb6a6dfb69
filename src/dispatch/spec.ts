/** Builds the spec with which an agent starts: an environment from scratch, its conversation, its deadlines. */
import { join } from "node:path";
import type { AgentSpec, Conversation, McpServer } from "../agents/agent.ts";
import { packageRoot } from "../config/package-root.ts";
import type { DispatchCommand } from "../kernel/command.ts";
import type { RunView } from "../log/run-view.ts";
import { dispatchVariable } from "../channel/environment.ts";
import type { ChannelAddress } from "../channel/channel.ts";
import { channelVariables } from "../channel/current-dispatch.ts";
import type { FamilyRun } from "../family/family.ts";
import { plansIn } from "./prompt/codes.ts";
import type { Workspace } from "../family/work.ts";

/** The prompt adds tools, model and text. */
export type SpecWithoutPrompt = Omit<AgentSpec, "prompt" | "nudge" | "tools" | "model">;

interface AgentSpecRequest {
  readonly command: DispatchCommand;
  readonly workspace: Workspace;
  readonly conversation: Conversation;
  readonly channel: ChannelAddress;
  /** The first of its ports. */
  readonly portBase: number;
  /** JSON Schema of the decision; null if the agent reports in another way. */
  readonly schema: object | null;
}

export function agentSpec(
  context: FamilyRun,
  { command, workspace, conversation, channel, portBase, schema }: AgentSpecRequest,
): SpecWithoutPrompt {
  const { view } = context.session;
  const home = join(context.home.homes, context.run, workspace.name);
  return {
    run: context.run,
    key: command.key,
    role: command.role,
    state: command.state,
    nth: ordinal(view, command, context.family.conversations.ofFrame),
    ...placeName(workspace),
    cwd: workspace.path,
    home,
    env: {
      PATH: context.family.pathOf(context.host.path, home),
      HOME: home,
      TMPDIR: join(home, "tmp"),
      XDG_CACHE_HOME: join(home, ".cache"),
      METTLE_PORT_BASE: String(portBase),
      LANG: "C.UTF-8",
      [dispatchVariable]: dispatchValue(context.run, command.key),
      ...channelVariables(channel),
    },
    conversation,
    mcp: mcpServer(context, channel),
    ...(plansIn(command) ? { plans: true as const } : {}),
    schema,
    wallMs: context.settings.deadlines.wallMs,
    idleMs: context.settings.deadlines.idleMs,
  };
}

export function dispatchValue(run: string, key: string): string {
  return `${run}:${key}`;
}

/** The name of the node, prompt or segment that the dispatch works on. */
function placeName({ work: { of } }: Workspace): Pick<AgentSpec, "node"> {
  const name = of.node ?? of.item;
  return name === undefined ? {} : { node: name };
}

/** Agents do not pass their environment on to MCP servers, so the channel's address is set here again. */
function mcpServer({ host }: FamilyRun, channel: ChannelAddress): McpServer {
  return {
    name: "mettle",
    command: host.node,
    args: [packageRoot("dist/bin/mcp.js")],
    env: channelVariables(channel),
  };
}

/**
 * Ordinal of this dispatch among the run's dispatches of its role, from 1. A dispatch that the environment stopped before
 * its agent could work does not count (ORC-91). @param ofFrame count each frame separately
 */
function ordinal(view: RunView, command: DispatchCommand, ofFrame: boolean): number {
  // A frame that was spawned again has the suffix `~2`.
  const placeOf = ({ frame }: { readonly frame: string }) => (ofFrame ? frame.replace(/~\d+/gu, "") : "");
  const keys = ordinalsOf(view, command.key).filter(
    (other) => other.role === command.role && placeOf(other) === placeOf(command),
  );
  const until = keys.slice(0, keys.findIndex(({ key }) => key === command.key) + 1);
  // An agent that reached a usage limit did work; its dispatch is repeated under its key (CORE-77).
  return until.reduce((nth, { key }) => nth + 1 + (view.limited[key] ?? 0), 0);
}

/** The dispatches that count, in order. @param now key of a dispatch that always counts */
export function ordinalsOf(
  view: RunView,
  now: string | null = null,
): readonly { readonly key: string; readonly role: string; readonly frame: string }[] {
  return view.order.flatMap((key) => {
    const command = view.commands[key]?.command;
    if (command?.type !== "dispatch" || (key !== now && wasStoppedByEnvironment(view, key))) return [];
    return [{ key, role: command.role, frame: command.frame }];
  });
}

/** An agent that hit its rate limit did work, and so did a reviewer that gave no answer: both count. */
function wasStoppedByEnvironment({ warnings }: RunView, key: string): boolean {
  return warnings.some(
    ({ code, stopped }) =>
      stopped?.key === key && code !== "reviewer_unreachable" && stopped.cause !== "rate_limited",
  );
}
