/** The lines of `opencode run --format json` (measured on 1.18.33). Only the needed fields are read. */
import * as z from "zod";

const Text = z.object({ type: z.literal("text"), part: z.object({ text: z.string() }) });

const ToolUse = z.object({
  type: z.literal("tool_use"),
  part: z.object({
    tool: z.string(),
    state: z.object({ status: z.string(), input: z.unknown(), error: z.string().optional() }),
  }),
});

/** The end of one request to the model. */
const StepFinish = z.object({
  type: z.literal("step_finish"),
  part: z.object({
    reason: z.string(),
    cost: z.number().nullish(),
    tokens: z.object({
      input: z.number(),
      output: z.number(),
      reasoning: z.number().default(0),
      cache: z.object({ read: z.number(), write: z.number() }).default({ read: 0, write: 0 }),
    }),
  }),
});

const OpencodeFailure = z.object({
  name: z.string(),
  data: z
    .object({
      message: z.string().optional(),
      statusCode: z.number().optional(),
      responseHeaders: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});
export type OpencodeFailure = z.infer<typeof OpencodeFailure>;

const Line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step_start") }),
  Text,
  ToolUse,
  StepFinish,
  z.object({ type: z.literal("error"), error: OpencodeFailure }),
  /** From our plugin: OpenCode waits until `next`, in milliseconds since the epoch, before it repeats a request. */
  z.object({ type: z.literal("mettle_retry"), message: z.string(), next: z.number() }),
]);
/** Every line has OpenCode's id of the conversation. */
export const OpencodeLine = z.intersection(Line, z.object({ sessionID: z.string() }));
export type OpencodeLine = z.infer<typeof OpencodeLine>;
