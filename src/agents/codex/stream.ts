/** The lines of `codex exec --json` (measured on 0.171.0). Only the needed fields are read. */
import * as z from "zod";

const Message = z.object({ type: z.literal("agent_message"), text: z.string() });

const Command = z.object({ type: z.literal("command_execution"), command: z.string(), status: z.string() });

const Change = z.object({
  type: z.literal("file_change"),
  changes: z.array(z.object({ path: z.string(), kind: z.string() })),
});

const McpToolCall = z.object({
  type: z.literal("mcp_tool_call"),
  server: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
});

const CodexItem = z.discriminatedUnion("type", [Message, Command, Change, McpToolCall]);
export type CodexItem = z.infer<typeof CodexItem>;

const Usage = z.object({ input_tokens: z.number(), output_tokens: z.number() });

export const CodexLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("item.completed"), item: CodexItem }),
  /** During the turn, and again at its end. */
  z.object({ type: z.literal("error"), message: z.string() }),
  /** Usage of the whole conversation, with its resumed and forked parts. */
  z.object({ type: z.literal("turn.completed"), usage: Usage }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
]);
export type CodexLine = z.infer<typeof CodexLine>;
