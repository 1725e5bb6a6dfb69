/** The outcome of a turn of Codex. Its last event counts before the exit code, which is 0 even for an invalid answer (CORE-51). */
import type { AgentOutcome } from "../agent.ts";
import type { ProgramResult } from "../program.ts";
import { structuredAnswer } from "../structured-answer.ts";
import { statusOf, type CodexTurn } from "./turn.ts";

export interface CodexTurnResult {
  readonly ended: ProgramResult;
  readonly turn: Pick<CodexTurn, "text" | "answer" | "end">;
  /** JSON Schema of the required answer; null: none. */
  readonly schema: unknown;
}

export function outcomeOf({ ended, turn, schema }: CodexTurnResult): AgentOutcome {
  const { text, end, answer } = turn;
  if (ended.type !== "exited") return { ...ended, text };
  if (end === null) return { ...earlyFailure(ended.why), text };
  if (end.type === "failed") return { type: failureOf(end.why), text, why: end.why };
  if (ended.code !== 0) return { type: "crashed", text, why: ended.why };
  if (schema === null) return { type: "ok", text };
  // Codex passes the schema to its model, but does not validate the answer.
  const read = structuredAnswer(answer, schema);
  return read.type === "ok"
    ? { type: "ok", text, structured: read.value }
    : { type: "schema_failed", text, why: read.why };
}

/** Before the first request Codex reports errors on standard error only. */
function earlyFailure(why: string): { readonly type: "auth" | "crashed"; readonly why: string } {
  if (/missing environment variable|not logged in|login/iu.test(why))
    return { type: "auth", why: `its login does not work: ${why}` };
  return { type: "crashed", why: `ended without a result: ${why}` };
}

function failureOf(why: string): "auth" | "rate_limited" | "api_error" {
  switch (statusOf(why)) {
    case 401:
    case 403:
      return "auth";
    case 429:
      return "rate_limited";
    case null:
      break; // the message names no status
    default:
      return "api_error";
  }
  if (/missing environment variable|not logged in|access token could not be refreshed/iu.test(why))
    return "auth";
  return /usage limit|rate limit|quota/iu.test(why) ? "rate_limited" : "api_error";
}
