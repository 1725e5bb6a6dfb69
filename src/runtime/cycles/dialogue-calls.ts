/** `observe` and `query` at the channel of a dispatch that has a dialogue (TDP-52, TDP-53). */
import { z } from "zod";
import { AppError } from "../../lib/errors.ts";
import { printObservation, type Observation } from "../../journal/observation-line.ts";
import type { DispatchCommand } from "../../kernel/command.ts";
import type { Calls } from "../channel/server.ts";
import { answered, firstFault, refused, type Answer } from "../channel/wire.ts";
import type { RunContext } from "../context.ts";
import { observe, query } from "./observations.ts";

/** Nothing of whom, where and when: that is the runtime's to say. */
export const ObserveCall = z.strictObject({ content: z.string() });
export const QueryCall = z.strictObject({
  pattern: z.string(),
  /** Id of the last observation seen. */
  after: z.int().min(0).optional(),
  limit: z.int().min(1).max(1000).optional(),
});

/** An answer holds no more than this; the rest is asked for with `after`. */
const mostBytes = 512 * 1024;

/** Null where the dispatch has no dialogue. */
export function dialogueCalls(
  context: RunContext,
  command: DispatchCommand,
  isDecided: () => boolean,
): Calls | null {
  if (!command.params.includes("S")) return null;
  return {
    observe: (request) =>
      answer(ObserveCall, request, async ({ content }) => {
        if (isDecided())
          throw new AppError("no_dispatch", "your dispatch is decided", { hint: "end your work here" });
        return told(await observe(context, command, content));
      }),
    query: (request) =>
      answer(QueryCall, request, async ({ pattern, after, limit }) => {
        const page = { pattern, limit: limit ?? 1000, ...(after === undefined ? {} : { after }) };
        return fitting(await query(context, command, page));
      }),
  };
}

async function answer<Call>(
  shape: z.ZodType<Call>,
  request: unknown,
  work: (call: Call) => Promise<unknown>,
): Promise<Answer> {
  const read = shape.safeParse(withoutEnvelope(request));
  if (!read.success) {
    const { field, why } = firstFault(read.error, "");
    return refused({
      code: "bad_request",
      message: `${field}: ${why}`,
      hint: "see the tool's schema",
      field,
    });
  }
  try {
    return answered(await work(read.data));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refused({ code: error.code, message: error.message, hint: error.hint });
  }
}

function withoutEnvelope(request: unknown): unknown {
  if (request === null || typeof request !== "object") return request;
  const { version: _v, token: _t, call: _c, ...own } = request as Record<string, unknown>;
  return own;
}

function told(observation: Observation) {
  return { observation: printObservation(observation) };
}

/** In order of writing. `next` is what to ask on with, null at the end. */
function fitting(found: readonly Observation[]): {
  readonly observations: readonly string[];
  readonly next: number | null;
} {
  const observations: string[] = [];
  let bytes = 0;
  for (const observation of found) {
    const line = printObservation(observation);
    bytes += Buffer.byteLength(line);
    if (bytes > mostBytes && observations.length > 0)
      return { observations, next: found[observations.length - 1]?.id ?? null };
    observations.push(line);
  }
  return { observations, next: found.length === 1000 ? (found.at(-1)?.id ?? null) : null };
}
