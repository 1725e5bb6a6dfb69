/** The outcome of a turn of Claude Code. `result` counts before the exit code, which is 0 even after an interrupt (CORE-51). */
import type { AgentOutcome } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import type { ClaudeLimit, ClaudeResult } from "./stream.ts";

export interface ClaudeTurnResult {
  readonly ended: ProgramResult;
  readonly result: ClaudeResult | null;
  readonly limit: ClaudeLimit | null;
  readonly text: string;
  /** Whether a structured answer was required. */
  readonly structured: boolean;
}

export function outcomeOf({ ended, result, limit, text, structured }: ClaudeTurnResult): AgentOutcome {
  if (ended.type !== "exited") return { ...ended, text };
  if (result === null) return { type: "crashed", text, why: `ended without a result: ${ended.why}` };
  const failed = failureOf(result, limit);
  if (failed !== null) return { ...failed, text };
  if (ended.code !== 0) return { type: "crashed", text, why: ended.why };
  if (!structured) return { type: "ok", text };
  if (result.structured_output === undefined)
    return {
      type: "schema_failed",
      text,
      why: "its answer lacks the required structured answer",
    };
  return { type: "ok", text, structured: result.structured_output };
}

type Failure = Omit<Extract<AgentOutcome, { readonly why: string }>, "text">;

function failureOf(result: ClaudeResult, limit: ClaudeLimit | null): Failure | null {
  const { subtype, is_error, api_error_status: status, terminal_reason: reason } = result;
  const why = result.errors?.join("; ") || result.result || subtype;
  if (subtype === "error_max_turns") return { type: "max_turns", why };
  if (subtype === "error_max_budget_usd") return { type: "budget", why };
  if (subtype === "error_max_structured_output_retries") return { type: "schema_failed", why };
  if (status === 401 || status === 403) return { type: "auth", why };
  const isRejected = is_error && limit?.status === "rejected";
  if (status === 429 || isRejected || (is_error && isSpent(why)))
    return { type: "rate_limited", why, ...(isRejected && resetOf(limit)) };
  if (status != null) return { type: "api_error", why };
  if (reason === "api_error") return { type: isLogin(why) ? "auth" : "api_error", why };
  if (is_error) return { type: isLogin(why) ? "auth" : "crashed", why };
  // An interrupted turn ends with exit code 0 and `success`.
  if (reason != null && reason !== "completed") return { type: "crashed", why: `it stopped: ${reason}` };
  return subtype === "success" ? null : { type: "crashed", why };
}

/** A subscription's limit has no HTTP status in older versions; the program reports it itself. */
function isSpent(words: string): boolean {
  return /^Claude AI usage limit reached\||^You've (?:hit|reached) your .*limit\b.*\bresets\b/u.test(words);
}

function resetOf({ resetsAt }: ClaudeLimit): Pick<Failure, "resets"> {
  return resetsAt == null ? {} : { resets: { at: resetsAt * 1000 } };
}

/** Without a request there is no HTTP status; the program reports a missing login itself. */
function isLogin(words: string): boolean {
  return /\/login\b|not logged in|invalid api key|oauth token/iu.test(words);
}
