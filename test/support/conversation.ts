/** A conversation as a request of Anthropic's wire carries it: what the model was told, and what its tools answered. */
import { z } from "zod";
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

export interface Answered {
  readonly tool: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
}

export interface Conversation {
  /** What was said to the model, each message's own text, without the program's reminders. */
  readonly told: readonly string[];
  /** What its calls were answered with, in their order. */
  readonly answers: readonly Answered[];
}

export function conversationOf({ body }: Pick<ModelRequest, "body">): Conversation {
  const told: string[] = [];
  const answers: Answered[] = [];
  const calls = new Map<string, { readonly name: string; readonly input: unknown }>();
  for (const { role, content } of Body.parse(JSON.parse(body)).messages) {
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    for (const block of blocks) {
      if ("name" in block) calls.set(block.id, block);
      else if ("tool_use_id" in block) {
        const call = calls.get(block.tool_use_id);
        answers.push({
          tool: call?.name ?? "",
          input: call?.input,
          text: textOf(block.content),
          isError: block.is_error === true,
        });
      } else if ("text" in block && role !== "assistant" && !block.text.startsWith("<system-reminder>"))
        told.push(block.text);
    }
  }
  return { told, answers };
}

function textOf(content: z.infer<typeof Result>["content"]): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map((block) => ("text" in block ? block.text : "")).join("\n");
}
