/** The command line of one turn. The prompt goes to standard input; nothing secret stands in an argument. */
import type { Conversation } from "../agent.ts";

/**
 * Without a model's name the CLI asks a small model first which one to take, and hangs for a minute where that one answers in
 * words (research, agents 4). People name another with `gemini:MODEL`.
 */
export const defaultModel = "gemini-2.5-pro";

export interface ArgvOptions {
  readonly conversation: Conversation;
  readonly model: string;
}

export function argvOf({ conversation, model }: ArgvOptions): readonly string[] {
  return ["--output-format", "stream-json", "--model", model, ...conversationOf(conversation)];
}

/** It knows no forks: a copy of the parent's conversation under the child's name is resumed (conversations.ts). */
function conversationOf({ type, id }: Conversation): readonly string[] {
  switch (type) {
    case "new":
      return ["--session-id", id];
    case "resume":
    case "fork":
      return ["--resume", id];
  }
}

/** A template names models in the words of the agent for whom it was written; another vendor's names mean nothing here. */
export function modelOf(asked: string | null, chosen: string | null): string {
  return asked?.startsWith("gemini-") ? asked : (chosen ?? defaultModel);
}
