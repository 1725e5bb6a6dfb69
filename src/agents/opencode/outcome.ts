/** The outcome of a turn of OpenCode. Its events count before the exit code, which is 0 even for an aborted turn (CORE-51). */
import type { AgentOutcome } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import type { Reset } from "../reset-time.ts";
import { structuredAnswer } from "../structured-answer.ts";
import type { OpencodeFailure } from "./stream.ts";
import type { OpencodeTurn } from "./turn.ts";

export interface OpencodeTurnResult {
  readonly ended: ProgramResult;
  readonly turn: Pick<OpencodeTurn, "text" | "answer" | "reason" | "failure" | "waits" | "waitsUntil">;
  /** JSON Schema of the required answer; null: none. OpenCode itself does not support schemas. */
  readonly schema: unknown;
  /** Whether Mettle stopped the turn for another reason than a long wait. */
  readonly stopped: boolean;
}

export function outcomeOf({ ended, turn, schema, stopped }: OpencodeTurnResult): AgentOutcome {
  const { text, answer, reason, failure, waits, waitsUntil } = turn;
  if (waits !== null && !stopped)
    return {
      type: "rate_limited",
      text,
      why: waits,
      ...(waitsUntil !== null && { resets: { at: waitsUntil } }),
    };
  if (ended.type !== "exited") return { ...ended, text };
  if (failure !== null)
    return { type: failureOf(failure), text, why: failureText(failure), ...resetOf(failure) };
  if (reason === null) return { type: "crashed", text, why: `ended without a result: ${ended.why}` };
  if (ended.code !== 0) return { type: "crashed", text, why: ended.why };
  switch (reason) {
    case "tool-calls":
      return { type: "crashed", text, why: "it stopped before it received the results of its tools" };
    case "length":
    case "content-filter":
    case "error":
      return { type: "api_error", text, why: `its model stopped early: ${reason}` };
  }
  if (schema === null) return { type: "ok", text };
  const read = structuredAnswer(answer, schema);
  return read.type === "ok"
    ? { type: "ok", text, structured: read.value }
    : { type: "schema_failed", text, why: read.why };
}

function failureOf({ name, data }: OpencodeFailure): "auth" | "rate_limited" | "api_error" | "crashed" {
  switch (data?.statusCode) {
    case undefined:
      break;
    case 401:
    case 403:
      return "auth";
    case 429:
      return "rate_limited";
    default:
      return "api_error";
  }
  if (name === "ProviderAuthError") return "auth";
  return name === "UnknownError" || name === "MessageAbortedError" ? "crashed" : "api_error";
}

function failureText({ name, data }: OpencodeFailure): string {
  return data?.message ? `${name}: ${data.message}` : name;
}

/** The header of a refused request, in milliseconds or in seconds. */
function resetOf({ data }: OpencodeFailure): { readonly resets?: Reset } {
  const headers = data?.responseHeaders ?? {};
  const ms = Number(headers["retry-after-ms"] ?? Number(headers["retry-after"]) * 1000);
  return Number.isFinite(ms) && ms > 0 ? { resets: { inMs: Math.ceil(ms) } } : {};
}
