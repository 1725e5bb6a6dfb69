/** The agent's end of a channel, for programs that start often: no schema library comes with it. */
import { askSocket, type SocketAnswer } from "../lib/ask-socket.ts";
import type { ChannelAddress } from "./channel.ts";
import type { Answer } from "./wire.ts";

/** A call of the channel and its fields. */
export interface ChannelRequest {
  readonly call: string;
  readonly [field: string]: unknown;
}

const version: Answer["version"] = 1;
const defaultTimeoutMs = 30_000;

/** Of a command of Envoy: a review or the proof of a merge takes minutes, and no shell of an agent waits longer. */
export const maxCommandMs = 600_000;

/** Calls and gives the answer; that nobody answers is an answer too. Never rejects. */
export async function callChannel(
  { socket, token }: ChannelAddress,
  request: ChannelRequest,
  timeoutMs = defaultTimeoutMs,
): Promise<Answer> {
  const line = JSON.stringify({ ...request, version, token });
  const said = await askSocket({ path: socket, line, timeoutMs });
  return said.type === "answered" ? read(said.line) : noAnswer(said);
}

function read(line: string): Answer {
  try {
    const answer: unknown = JSON.parse(line);
    if (isAnswer(answer)) return answer;
  } catch {
    // No JSON: no runtime of ours is at the other end.
  }
  return refusal("bad_request", "what listens at METTLE_SOCKET gave no answer that can be read");
}

/** Who has the token of this dispatch is believed beyond the outline. */
function isAnswer(value: unknown): value is Answer {
  if (typeof value !== "object" || value === null || !("version" in value) || value.version !== version)
    return false;
  return "ok" in value && (value.ok === true || (value.ok === false && "error" in value));
}

function noAnswer(said: Exclude<SocketAnswer, { type: "answered" }>): Answer {
  switch (said.type) {
    case "unreachable":
      return refusal(
        "not_your_dispatch",
        `the dispatch has ended: nobody listens at its socket (${said.code})`,
      );
    case "silent":
      return refusal("not_your_dispatch", "the dispatch ended before it answered");
    case "late":
      return refusal("internal", "the runtime did not answer in time");
  }
}

function refusal(code: "not_your_dispatch" | "bad_request" | "internal", message: string): Answer {
  return {
    version,
    ok: false,
    error: { code, message, hint: "a dispatch is reported to by its own agent, while it lasts" },
  };
}
