/** Maps a failed ACP request or stop reason to an outcome. Pure. */
import type { StopReason } from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { EndEvent } from "../event-line.ts";

const RpcError = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** ACP's error code for a required login. */
const authRequired = -32000;

/** The end that an error response of the agent means; null for an error of our own. */
export function endOfError(error: unknown): EndEvent | null {
  const read = RpcError.safeParse(error);
  if (!read.success) return null;
  const { code, message, data } = read.data;
  const detail = data === undefined ? "" : JSON.stringify(data).slice(0, 1000);
  const why = detail === "" ? message : `${message}: ${detail}`;
  return { type: "end", outcome: outcomeOf(code, why), why };
}

/** The HTTP status is in the code or in the message: the protocol has no field for it. */
function outcomeOf(code: number, why: string): EndEvent["outcome"] {
  const status = code > 0 ? code : Number(/\b(401|403|429)\b/u.exec(why)?.[1] ?? 0);
  if (code === authRequired || status === 401 || status === 403) return "auth";
  if (status === 429 || /rate.?limit|quota|too many requests/iu.test(why)) return "rate_limited";
  if (/authenticat|unauthori[sz]ed|api key/iu.test(why)) return "auth";
  return "api_error";
}

/** Null for a completed turn. @param denied whether we denied a tool call: some agents then cancel their turn */
export function endOfStop(reason: StopReason, denied: boolean): EndEvent | null {
  const end = (outcome: EndEvent["outcome"], why: string): EndEvent => ({ type: "end", outcome, why });
  switch (reason) {
    case "end_turn":
      return null;
    case "max_turn_requests":
      return end("max_turns", "it reached the limit of requests for one turn");
    case "max_tokens":
      return end("api_error", "its answer was truncated: it reached the token limit of its model");
    case "refusal":
      return end("api_error", "its model refused to continue");
    case "cancelled":
      return denied ? null : end("api_error", "it cancelled its own turn");
  }
}
