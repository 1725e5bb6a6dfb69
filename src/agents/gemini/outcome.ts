/** The outcome of a turn of the Gemini CLI. `result` counts before the exit code, which is 0 even for an empty answer (CORE-51). */
import type { AgentOutcome } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import type { GeminiTurn } from "./turn.ts";

export interface GeminiTurnResult {
  readonly ended: ProgramResult;
  readonly turn: Pick<GeminiTurn, "result" | "text" | "lastError">;
  /** Whether a structured answer was required, which this CLI does not support. */
  readonly structured: boolean;
}

export function outcomeOf({ ended, turn, structured }: GeminiTurnResult): AgentOutcome {
  const { text, result, lastError: trouble } = turn;
  if (ended.type !== "exited") return { ...ended, text };
  if (result === null) return { ...earlyFailure(ended), text };
  if (result.status !== "success") {
    const why = result.error?.message || trouble || `it ended with the status ${result.status}`;
    return { type: failureOf(result.error?.type, why, ended.code), text, why };
  }
  if (ended.code !== 0) return { type: "crashed", text, why: ended.why };
  if (structured)
    return { type: "schema_failed", text, why: "the Gemini CLI does not support structured answers" };
  return { type: "ok", text };
}

type Exited = Extract<ProgramResult, { readonly type: "exited" }>;

/** Exit code of the CLI for a missing login; the reason is on standard error. */
const noLogin = 41;

function earlyFailure({ code, why }: Exited): { readonly type: "auth" | "crashed"; readonly why: string } {
  if (code === noLogin) return { type: "auth", why: `its login does not work: ${why}` };
  return { type: "crashed", why: `ended without a result: ${why}` };
}

function failureOf(
  type: string | undefined,
  why: string,
  code: number | null,
): "max_turns" | "auth" | "rate_limited" | "api_error" | "crashed" {
  if (type === "FatalTurnLimitedError") return "max_turns";
  if (type === "FatalAuthenticationError" || /\bAPI key (not valid|expired)/iu.test(why)) return "auth";
  const status = /"code":\s*([45]\d\d)\b/u.exec(why)?.[1] ?? statusOf(code);
  switch (Number(status)) {
    case 401:
    case 403:
      return "auth";
    case 429:
      return "rate_limited";
    default:
      // An empty answer is an error without a type; errors of the CLI itself have one.
      return type === undefined || why.startsWith("[API Error") ? "api_error" : "crashed";
  }
}

/** The CLI exits with the HTTP status, of which the system keeps the lowest eight bits: 401 becomes 145. */
function statusOf(code: number | null): number | null {
  if (code === null) return null;
  const status = code + 256;
  return status >= 400 ? status : null;
}
