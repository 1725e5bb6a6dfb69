/** The command line of one turn. The prompt goes to standard input; no argument contains a secret. */
import type { Conversation } from "../agent.ts";

/**
 * Without a model name the CLI asks a small model which one to use, and hangs for a minute if the answer is not structured.
 * `gemini:MODEL` selects another model.
 */
export const defaultModel = "gemini-2.5-pro";

export interface GeminiArgvOptions {
  readonly conversation: Conversation;
  readonly model: string;
}

export function argvOf({ conversation, model }: GeminiArgvOptions): readonly string[] {
  return ["--output-format", "stream-json", "--model", model, ...conversationOf(conversation)];
}

/** The CLI cannot fork: we copy the parent's conversation to the child's id and resume it (conversations.ts). */
function conversationOf({ type, id }: Conversation): readonly string[] {
  switch (type) {
    case "new":
      return ["--session-id", id];
    case "resume":
    case "fork":
      return ["--resume", id];
  }
}

/** A template names a model of the agent it was written for; names of other vendors are ignored. */
export function modelOf(requested: string | null, fallback: string | null): string {
  return requested?.startsWith("gemini-") ? requested : (fallback ?? defaultModel);
}
