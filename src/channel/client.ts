/** The client of a channel. It loads no schema library, for programs that start often. */
import { askSocket, type SocketResponse } from "../lib/ask-socket.ts";
import type { ChannelAddress } from "./channel.ts";
import type { ChannelAnswer } from "./wire.ts";
import { parseJson } from "../lib/json.ts";

export interface ChannelRequest {
  readonly call: string;
  readonly [field: string]: unknown;
}

const version: ChannelAnswer["version"] = 1;
const defaultTimeoutMs = 30_000;

/** Timeout of an Envoy command: a review or a merge proof takes minutes, and an agent's shell waits no longer. */
export const maxCommandMs = 600_000;

/** Returns the answer of the runtime, or an error answer if there is none. Never rejects. */
export async function callChannel(
  { socket, token }: ChannelAddress,
  request: ChannelRequest,
  timeoutMs = defaultTimeoutMs,
): Promise<ChannelAnswer> {
  const line = JSON.stringify({ ...request, version, token });
  const reply = await askSocket({ path: socket, line, timeoutMs });
  return reply.type === "answered" ? read(reply.line) : noAnswer(reply);
}

function read(line: string): ChannelAnswer {
  const answer = parseJson(line);
  if (isAnswer(answer)) return answer;
  return refusal("bad_request", "the process at METTLE_SOCKET sent an invalid answer");
}

/** Checks only the outline: a peer at this socket is trusted with the rest. */
function isAnswer(value: unknown): value is ChannelAnswer {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== version)
    return false;
  return "ok" in value && (value.ok === true || (value.ok === false && "error" in value));
}

function noAnswer(reply: Exclude<SocketResponse, { type: "answered" }>): ChannelAnswer {
  switch (reply.type) {
    case "unreachable":
      return refusal(
        "not_your_dispatch",
        `the dispatch has ended: nothing listens at its socket (${reply.code})`,
      );
    case "silent":
      return refusal("not_your_dispatch", "the dispatch ended before it answered");
    case "late":
      return refusal("internal", "the runtime did not answer in time");
  }
}

function refusal(code: "not_your_dispatch" | "bad_request" | "internal", message: string): ChannelAnswer {
  return {
    version,
    ok: false,
    error: { code, message, hint: "a dispatch is reported to by its own agent, while it lasts" },
  };
}
