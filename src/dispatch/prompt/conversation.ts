/**
 * Chooses the conversation of a dispatch by the `thread` of its state: a new one, the role's last one, or a fork of another
 * (V3-45 to 48).
 */
import { join } from "node:path";
import type { Agent, Conversation } from "../../agents/agent.ts";
import type { StateHome } from "../../config/home.ts";
import type { EventOf } from "../../log/run-event.ts";
import { sha256 } from "../../lib/hash.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { RunState } from "../../kernel/state.ts";
import type { State } from "../../protocol/machine.ts";
import type { RunView } from "../../log/run-view.ts";
import type { FamilyRun } from "../../family/family.ts";
import { transcriptOf, type TranscriptLine } from "./transcript.ts";
import { workspaceName } from "../workspace/workspace.ts";

export interface ConversationThread {
  readonly conversation: Conversation;
  /** How the content of another conversation is passed on; null if there is none. */
  readonly thread: "native" | "copied" | "text" | null;
  /** Key of the newest dispatch of another conversation that this one contains; null if it contains none. */
  readonly knows: string | null;
  /** The transcript at the start of the prompt, for `text`. */
  readonly before: readonly TranscriptLine[];
}

export async function conversationFor(
  context: FamilyRun,
  command: DispatchCommand,
  agent: Agent,
): Promise<ConversationThread> {
  const id = conversationId(context.run, command.key);
  const fresh: ConversationThread = {
    conversation: { type: "new", id },
    thread: null,
    knows: null,
    before: [],
  };
  const own = newestOwn(context, command);
  const { thread } = command;
  switch (thread.type) {
    case "fresh":
      return fresh;
    case "continue":
      return own === null ? fresh : continueConversation(context, own, { agent, id });
    case "fork": {
      const frame =
        thread.of === "self" ? command.frame : (parentOf(context, command.frame) ?? command.frame);
      const parent = originOf(context, { command, frame, state: thread.state });
      if (parent === null) return fresh;
      if (own !== null && knowsAll(context, { command, own, parent }))
        return continueConversation(context, own, { agent, id });
      return fork(context, { command, parent, agent, id });
    }
  }
}

/** The home of the dispatch's agent, with its conversations. */
function homeOf({ home, run }: FamilyRun, command: DispatchCommand): string {
  return join(home.homes, run, workspaceName(command));
}

interface NewConversation {
  readonly agent: Agent;
  readonly id: string;
}

/** Resumes a conversation, or passes its transcript on if another agent or host had it, or the agent has no memory. */
function continueConversation(
  { session, family, home }: FamilyRun,
  own: string,
  { agent, id }: NewConversation,
): ConversationThread {
  const { view } = session;
  const before = view.dispatches[own];
  const resumed: Conversation = { type: "resume", id: before?.conversation ?? id };
  const isElsewhere = before !== undefined && isOfOtherHost(home, before);
  const isOther = isElsewhere || (before !== undefined && before.agent !== agent.name);
  const isText = family.conversations.replayedAsText || isElsewhere;
  if (!isText || (agent.remembers && !isOther))
    return { conversation: resumed, thread: null, knows: null, before: [] };
  const conversation: Conversation = isOther ? { type: "new", id } : resumed;
  return {
    conversation,
    thread: "text",
    knows: isOther ? own : null,
    before: transcriptOf(view, own, () => false),
  };
}

/** An agent keeps its conversations on the host where it had them. */
function isOfOtherHost({ store }: StateHome, { home }: Pick<EventOf<"dispatch.started">, "home">): boolean {
  return store.kind === "postgres" && home !== undefined && home !== store.home;
}

interface ForkRequest extends NewConversation {
  readonly command: DispatchCommand;
  readonly parent: string;
}

async function fork(
  context: FamilyRun,
  { command, parent, agent, id }: ForkRequest,
): Promise<ConversationThread> {
  const { view } = context.session;
  const { conversation: spoken = "", agent: speaker } = view.dispatches[parent] ?? {};
  const isHidden = hiddenFrom(context, command);
  const parentCommand = view.commands[parent]?.command;
  const from = homeOf(context, parentCommand?.type === "dispatch" ? parentCommand : command);
  const isWhole = isForkableWhole(view, { parent, isHidden });
  const how =
    isWhole && speaker === agent.name && !isOfOtherHost(context.home, view.dispatches[parent] ?? {})
      ? ((await agent.forks?.({ id: spoken, from }, homeOf(context, command))) ?? null)
      : null;
  if (how === null)
    return {
      conversation: { type: "new", id },
      thread: "text",
      knows: parent,
      before: transcriptOf(view, parent, isHidden),
    };
  const conversation: Conversation = { type: "fork", id, parent: spoken, from };
  return { conversation, thread: how, knows: parent, before: [] };
}

/** Whether the parent's conversation can be forked as it is: it has no later dispatch and nothing to hide. */
function isForkableWhole(
  view: RunView,
  { parent, isHidden }: { readonly parent: string; readonly isHidden: (key: string) => boolean },
): boolean {
  const spoken = view.dispatches[parent]?.conversation;
  const last = view.order.findLast((key) => view.dispatches[key]?.conversation === spoken);
  return last === parent && !transcriptOf(view, parent, () => false).some(({ key }) => isHidden(key));
}

/** Hides Impl's claim that a test is wrong from the reviewer of the implementation (V3-46). */
function hiddenFrom({ session }: FamilyRun, { mode }: DispatchCommand): (key: string) => boolean {
  return (key) => {
    const command = session.view.commands[key]?.command;
    return mode === "ReviewImpl" && command?.type === "dispatch" && command.ctx === "test_issue";
  };
}

interface Origin {
  readonly command: DispatchCommand;
  readonly frame: string;
  readonly state: string;
}

/** Key of the newest dispatch of the forked state with a result. A state without results forks from its own origin. */
function originOf(context: FamilyRun, { command, frame, state }: Origin): string | null {
  const { view } = context.session;
  const isHidden = hiddenFrom(context, command);
  const found = view.order.findLast((key) => {
    const entry = view.commands[key];
    if (entry?.command.type !== "dispatch" || entry.command.frame !== frame) return false;
    const { reports, state: spoke } = entry.command;
    return spoke === state && reports.includes(entry.result?.outcome ?? "") && !isHidden(key);
  });
  if (found !== undefined) return found;
  const thread = threadOf(context, frame, state);
  if (thread?.type !== "fork") return null;
  const next = thread.of === "self" ? frame : parentOf(context, frame);
  return next === null || (next === frame && thread.state === state)
    ? null
    : originOf(context, { command, frame: next, state: thread.state });
}

/**
 * Whether the dispatch's last conversation was forked from the same parent, so that it can be resumed. A reviewer always
 * starts a new fork, free of its last review.
 */
function knowsAll(
  { session }: FamilyRun,
  {
    command,
    own,
    parent,
  }: { readonly command: DispatchCommand; readonly own: string; readonly parent: string },
): boolean {
  const { order, dispatches } = session.view;
  const spoken = dispatches[own]?.conversation;
  const first = order.find((key) => dispatches[key]?.conversation === spoken);
  return command.mode !== "ReviewImpl" && first !== undefined && dispatches[first]?.knows === parent;
}

/** The newest earlier dispatch of the role; of the same frame if the family has one conversation per frame. */
function newestOwn({ session, family }: FamilyRun, command: DispatchCommand): string | null {
  const { view } = session;
  const key = view.order.findLast(
    (other) =>
      other !== command.key &&
      view.dispatches[other]?.role === command.role &&
      view.commands[other]?.result &&
      (!family.conversations.ofFrame || view.commands[other].command.frame === command.frame),
  );
  return key ?? null;
}

function parentOf({ session }: FamilyRun, frame: string): string | null {
  return session.state.frames[frame]?.parent?.frame ?? null;
}

function threadOf({ session, protocol }: FamilyRun, frame: string, name: string) {
  const machine = protocol.machines[machineOf(session.state, frame)];
  const state = machine === undefined ? null : stateNamed(machine.states, name);
  return state?.kind === "dispatch" ? state.thread : null;
}

function machineOf({ frames }: Pick<RunState, "frames">, frame: string): string {
  return frames[frame]?.machine ?? "";
}

/** Searches the states of regions too. */
function stateNamed(states: Readonly<Record<string, State>>, name: string): State | null {
  if (Object.hasOwn(states, name)) return states[name] ?? null;
  for (const state of Object.values(states)) {
    if (state.kind !== "parallel") continue;
    for (const region of Object.values(state.regions)) {
      const found = stateNamed(region.states, name);
      if (found !== null) return found;
    }
  }
  return null;
}

/** A UUID derived from run and key: a dispatch keeps its conversation after a crash. */
function conversationId(run: string, key: string): string {
  const hex = sha256(`${run}\n${key}`).slice(7, 39);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
