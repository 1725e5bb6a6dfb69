/** The command line of one turn. The prompt goes to standard input; nothing secret stands in an argument. */
import type { AgentSpec, Conversation } from "../agent.ts";

export interface Files {
  /** The MCP configuration, null where the dispatch has no channel. */
  readonly mcp: string | null;
}

/**
 * A fresh `claude -p` that knows no settings, memories, hooks or MCP servers but ours (ORC-59), and has the tools of its
 * role and no others: `--tools` takes the rest away, `--allowedTools` lets these work without a question.
 */
export function argvOf(spec: AgentSpec, files: Files): readonly string[] {
  const report = spec.mcp === null ? [] : [`mcp__${spec.mcp.name}`];
  const allowed = [...spec.tools, ...report];
  return [
    "--print",
    "--output-format",
    "stream-json",
    "--verbose",
    ...conversationOf(spec.conversation),
    "--setting-sources=",
    "--strict-mcp-config",
    ...(files.mcp === null ? [] : ["--mcp-config", files.mcp]),
    "--permission-mode",
    "dontAsk",
    "--tools",
    spec.tools.join(","),
    ...(allowed.length === 0 ? [] : ["--allowedTools", allowed.join(",")]),
    ...(spec.model === null ? [] : ["--model", spec.model]),
    ...(spec.schema === null ? [] : ["--json-schema", JSON.stringify(spec.schema)]),
  ];
}

function conversationOf(conversation: Conversation): readonly string[] {
  switch (conversation.type) {
    case "new":
      return ["--session-id", conversation.id];
    case "resume":
      return ["--resume", conversation.id];
    case "fork":
      return ["--resume", conversation.parent, "--fork-session", "--session-id", conversation.id];
  }
}
