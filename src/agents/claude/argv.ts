/** The command line of one turn. The prompt goes to standard input; no argument contains a secret. */
import type { AgentSpec, Conversation } from "../agent.ts";

export interface Files {
  /** The MCP configuration; null: the dispatch has no channel. */
  readonly mcp: string | null;
}

/**
 * `claude -p` without settings, memories, hooks and MCP servers except ours (ORC-59). `--tools` removes every tool that the
 * role does not have; `--allowedTools` permits the others without a question.
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
    // With partial messages, only a stuck agent is silent.
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
 * Claude Code always asks before it writes below `.claude/`, the folder of Orchestrate's documents. For a role that may
 * write, bypassing the questions adds no tool: `--tools` has removed the others (ADR 0005).
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
