/** Reads the conversation in a request of Anthropic's API: user messages and tool results. */
import * as z from "zod";
import type { ModelRequest } from "./wire.ts";

const Text = z.object({ type: z.literal("text"), text: z.string() });
const Call = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() });
const Result = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([Text, z.object({ type: z.string() })]))]).optional(),
  is_error: z.boolean().optional(),
});
const Message = z.object({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(z.union([Text, Call, Result, z.object({ type: z.string() })]))]),
});
const Body = z.object({ messages: z.array(Message) });

export interface UserMessage {
  readonly type: "user";
  readonly text: string;
}

export interface ToolCallResult {
  readonly type: "answered";
  readonly tool: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** The result of a background sub-agent. */
export interface SubAgentResult {
  readonly type: "finished";
  readonly text: string;
}

/** The message of a hook that keeps the session from ending. */
export interface HookFeedback {
  readonly type: "held";
  readonly text: string;
}

export type Entry = UserMessage | ToolCallResult | SubAgentResult | HookFeedback;

/** What the model received, in order, without reminders and its own messages. */
export function conversationOf({ body }: Pick<ModelRequest, "body">): readonly Entry[] {
  const calls = new Map<string, z.infer<typeof Call>>();
  return Body.parse(JSON.parse(body)).messages.flatMap(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    return blocks.flatMap((block): readonly Entry[] => {
      if ("name" in block) calls.set(block.id, block);
      if ("tool_use_id" in block) return [answerTo(calls.get(block.tool_use_id), block)];
      if (!("text" in block) || role === "assistant") return [];
      const result = /<task-notification>[\s\S]*<result>([\s\S]*)<\/result>/u.exec(block.text)?.[1];
      if (result !== undefined) return [{ type: "finished", text: result }];
      const held = /Stop hook feedback:\n([\s\S]*?)\s*(?:<\/system-reminder>)?\s*$/u.exec(block.text)?.[1];
      if (held !== undefined) return [{ type: "held", text: held }];
      if (role === "system" || /^\s*<system-reminder>/u.test(block.text)) return [];
      return [{ type: "user", text: block.text }];
    });
  });
}

/** The texts of all user messages, without tool results. */
export function userTextsIn(request: Pick<ModelRequest, "body">): readonly string[] {
  return conversationOf(request).flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
}

export function answersIn(request: Pick<ModelRequest, "body">): readonly ToolCallResult[] {
  return conversationOf(request).flatMap((entry) => (entry.type === "answered" ? [entry] : []));
}

function answerTo(
  call: z.infer<typeof Call> | undefined,
  { content, is_error: isError = false }: z.infer<typeof Result>,
): ToolCallResult {
  return {
    type: "answered",
    tool: call?.name ?? "",
    input: call?.input,
    text:
      content === undefined || typeof content === "string"
        ? (content ?? "")
        : content.map((block) => ("text" in block ? block.text : "")).join("\n"),
    isError,
  };
}
