/**
 * The lines of `gemini -o stream-json` (measured on 0.61.0). Only the needed fields are read.
 */
import * as z from "zod";

const Message = z.object({ type: z.literal("message"), role: z.string(), content: z.string() });

const ToolUse = z.object({
  type: z.literal("tool_use"),
  tool_name: z.string(),
  tool_id: z.string(),
  parameters: z.unknown(),
});

const Failure = z.object({ type: z.string(), message: z.string() });

const ToolResult = z.object({
  type: z.literal("tool_result"),
  tool_id: z.string(),
  error: Failure.nullish(),
});

/** An error during the turn; severity `error` ends the turn. */
const ErrorLine = z.object({ type: z.literal("error"), severity: z.string(), message: z.string() });

const GeminiResult = z.object({
  type: z.literal("result"),
  status: z.string(),
  error: Failure.nullish(),
  /** Usage of this process. */
  stats: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish(),
});
export type GeminiResult = z.infer<typeof GeminiResult>;

export const GeminiLine = z.discriminatedUnion("type", [
  Message,
  ToolUse,
  ToolResult,
  ErrorLine,
  GeminiResult,
]);
export type GeminiLine = z.infer<typeof GeminiLine>;
