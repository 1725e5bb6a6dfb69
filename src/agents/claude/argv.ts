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
  const own = spec.tools.join(",");
  const report = spec.mcp === null ? [] : [`mcp__${spec.mcp.name}`];
  const allowed = [...(own === "" ? [] : [own]), ...report];
  return [
    "--print",
    "--output-format",
    "stream-json",
    "--verbose",
    // What it thinks and writes comes piece by piece, so that its silence is one.
    "--include-partial-messages",
    ...conversationOf(spec.conversation),
    "--setting-sources=",
    "--strict-mcp-config",
    ...(files.mcp === null ? [] : ["--mcp-config", files.mcp]),
    "--permission-mode",
    permissionsOf(spec),
    "--tools",
    own,
    ...(allowed.length === 0 ? [] : ["--allowedTools", ...allowed]),
    ...(spec.model === null ? [] : ["--model", spec.model]),
    ...(spec.schema === null ? [] : ["--json-schema", JSON.stringify(spec.schema)]),
  ];
}

/**
 * Claude Code asks before it writes below `.claude/`, whatever is allowed, and there Orchestrate's documents lie. Where a
 * role may write anyway, asking for nothing grants it no tool more: `--tools` has taken the others away (ADR 0005).
 */
function permissionsOf({ tools, plans }: AgentSpec): "bypassPermissions" | "dontAsk" | "plan" {
  if (plans) return "plan";
  return tools.some((tool) => tool === "Write" || tool === "Edit") ? "bypassPermissions" : "dontAsk";
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
