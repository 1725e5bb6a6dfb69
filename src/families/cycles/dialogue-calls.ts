/** `observe` and `query` at the channel of a dispatch that has a dialogue (TDP-52, TDP-53). */
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { printObservation } from "../../journal/observation-line.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Calls } from "../../channel/server.ts";
import { okAnswer, firstFault, errorAnswer, type ChannelAnswer } from "../../channel/wire.ts";
import { readableBy } from "../../dispatch/holdout/told.ts";
import type { RunContext } from "../../run/context.ts";
import { observe, queryPage } from "./observations.ts";

/** The runtime adds speaker, session and time. */
export const ObserveCall = z.strictObject({ content: z.string() });
export const QueryCall = z.strictObject({
  pattern: z.string(),
  /** Id of the last observation seen. */
  after: z.int().min(0).optional(),
  limit: z.int().min(1).max(1000).optional(),
});

/** Null if the dispatch has no dialogue. */
export function dialogueCalls(
  context: RunContext,
  command: DispatchCommand,
  isDecided: () => boolean,
): Calls | null {
  const speak = speaker(context, command, isDecided);
  if (speak === null) return null;
  return {
    observe: (request) =>
      answer(ObserveCall, request, async ({ content }) => ({ observation: await speak(content) })),
    query: (request) =>
      answer(QueryCall, request, async ({ pattern, after, limit }) => {
        const page = { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) };
        const readable = readableBy(context, command);
        const found = await queryPage(context, command, { pattern, ...page });
        return { ...found, observations: found.observations.map(readable) };
      }),
  };
}

/** Adds to the dialogue of the dispatch and returns the OBS line. Null if the dispatch has no dialogue. */
export function speaker(
  context: RunContext,
  command: DispatchCommand,
  isDecided: () => boolean,
): ((content: string) => Promise<string>) | null {
  if (!command.params.includes("S")) return null;
  return async (content) => {
    if (isDecided())
      throw new AppError("no_dispatch", "your dispatch is decided", { hint: "end your work here" });
    return printObservation(await observe(context, command, content));
  };
}

async function answer<Call>(
  shape: z.ZodType<Call>,
  request: unknown,
  work: (call: Call) => Promise<unknown>,
): Promise<ChannelAnswer> {
  const read = shape.safeParse(withoutEnvelope(request));
  if (!read.success) {
    const { field, why } = firstFault(read.error, "");
    return errorAnswer({
      code: "bad_request",
      message: `${field}: ${why}`,
      hint: "see the tool's schema",
      field,
    });
  }
  try {
    return okAnswer(await work(read.data));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return errorAnswer({ code: error.code, message: error.message, hint: error.hint });
  }
}

function withoutEnvelope(request: unknown): unknown {
  if (request === null || typeof request !== "object") return request;
  const { version: _v, token: _t, call: _c, ...own } = request as Record<string, unknown>;
  return own;
}
