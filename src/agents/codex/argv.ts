/** The command line of one turn. The prompt goes to standard input, the settings to a file; no argument contains a secret. */
import type { Conversation } from "../agent.ts";

export interface CodexArgvOptions {
  readonly type: Conversation["type"];
  /** Codex's id of the conversation to resume or fork; null: a new one. */
  readonly thread: string | null;
  /** File with the JSON Schema of the answer; null: free text. */
  readonly schema: string | null;
}

export function argvOf({ type, thread, schema }: CodexArgvOptions): readonly string[] {
  const verb = { new: [], resume: ["resume"], fork: ["fork"] }[type];
  return [
    "exec",
    ...verb,
    "--json",
    // Codex need not trust the repository of the workspace.
    "--skip-git-repo-check",
    "--ignore-rules",
    ...(schema === null ? [] : ["--output-schema", schema]),
    ...(thread === null ? [] : [thread]),
    "-",
  ];
}

/** A template names a model of the agent it was written for; names of other vendors are ignored. */
export function modelOf(requested: string | null, fallback: string | null): string | null {
  return requested !== null && /^(?:gpt|o\d|codex)/u.test(requested) ? requested : fallback;
}
