/** The command line of one turn. The prompt goes to standard input and the settings into a file; nothing secret stands in an argument. */
import type { Conversation } from "../agent.ts";

export interface ArgvOptions {
  readonly type: Conversation["type"];
  /** Codex's own id of the conversation that goes on or is forked, null for a new one. */
  readonly thread: string | null;
  /** File of the JSON Schema that the answer shall have, null for words. */
  readonly schema: string | null;
}

export function argvOf({ type, thread, schema }: ArgvOptions): readonly string[] {
  const verb = { new: [], resume: ["resume"], fork: ["fork"] }[type];
  return [
    "exec",
    ...verb,
    "--json",
    // A workspace need not be a repository that it knows.
    "--skip-git-repo-check",
    "--ignore-rules",
    ...(schema === null ? [] : ["--output-schema", schema]),
    ...(thread === null ? [] : [thread]),
    "-",
  ];
}

/** A template names models in the words of the agent for whom it was written; another vendor's names mean nothing here. */
export function modelOf(asked: string | null, chosen: string | null): string | null {
  return asked !== null && /^(?:gpt|o\d|codex)/u.test(asked) ? asked : chosen;
}
