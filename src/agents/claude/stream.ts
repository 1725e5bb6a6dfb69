/**
 * The lines of `claude -p --output-format stream-json` (measured on 2.1.332). Versions differ in the order
 * of keys and add lines, so only the needed fields are read.
 */
import * as z from "zod";

const Usage = z.object({
  input_tokens: z.number().default(0),
  output_tokens: z.number().default(0),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
});
export type Usage = z.infer<typeof Usage>;

const Block = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string().optional(), name: z.string(), input: z.unknown() }),
  z.object({ type: z.string() }),
]);

const Assistant = z.object({
  type: z.literal("assistant"),
  message: z.object({ content: z.array(Block), usage: Usage.optional() }),
  /** Set on messages of a subagent, which has its own context window. */
  parent_tool_use_id: z.string().nullish(),
});

/** Tool results; for other user messages `content` is a string. */
const ToolResults = z.object({
  type: z.literal("user"),
  message: z.object({
    content: z.array(
      z.object({
        type: z.string(),
        tool_use_id: z.string().optional(),
        is_error: z.boolean().nullish(),
        content: z.unknown(),
      }),
    ),
  }),
});

const Retry = z.object({
  type: z.literal("system"),
  subtype: z.literal("api_retry"),
  error_status: z.number().nullish(),
});

/** The state of the account's limit, also in successful turns. `resetsAt` is in seconds since the epoch. */
const Limit = z.object({
  type: z.literal("rate_limit_event"),
  rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
});
export type ClaudeLimit = z.infer<typeof Limit>["rate_limit_info"];

const ModelUsage = z.object({ costUSD: z.number().optional(), contextWindow: z.number().optional() });

const ClaudeResult = z.object({
  type: z.literal("result"),
  subtype: z.string(),
  is_error: z.boolean(),
  api_error_status: z.number().nullish(),
  terminal_reason: z.string().nullish(),
  result: z.string().nullish(),
  errors: z.array(z.string()).nullish(),
  structured_output: z.unknown().optional(),
  usage: Usage.optional(),
  /** Cost of the whole conversation, with its resumed and forked parts. */
  total_cost_usd: z.number().nullish(),
  modelUsage: z.record(z.string(), ModelUsage).optional(),
  /** Usage of this process only; older versions omit it. */
  model_usage_since_last_result: z.record(z.string(), ModelUsage).optional(),
  permission_denials: z.array(z.object({ tool_name: z.string(), tool_input: z.unknown() })).default([]),
});
export type ClaudeResult = z.infer<typeof ClaudeResult>;

export const ClaudeLine = z.union([Assistant, ToolResults, Retry, Limit, ClaudeResult]);
export type ClaudeLine = z.infer<typeof ClaudeLine>;
