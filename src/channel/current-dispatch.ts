/** The dispatch around this process, as its environment tells it. */
import { variable } from "../config/env.ts";
import { isStartedByMettle } from "./person.ts";
import { socketVariable, tokenVariable } from "./environment.ts";
import type { ChannelAddress } from "./channel.ts";
import { callChannel } from "./client.ts";
import type { DispatchDescription } from "./wire.ts";

export type CurrentDispatch =
  | {
      readonly type: "dispatch";
      readonly channel: ChannelAddress;
      readonly role: string;
      readonly codes: readonly string[];
      /** The graph may be asked through the channel. */
      readonly memory: boolean;
      /** The dispatch has a dialogue. */
      readonly dialogue: boolean;
      /** Payloads can be read in parts. */
      readonly payloads: boolean;
      /** Commands of Envoy that only read. */
      readonly envoy: boolean;
      /** The agent is in a plan mode of its own. */
      readonly plans: boolean;
    }
  /** Variables tell of a dispatch that cannot be asked: this is an agent's process all the same, and opens no store. */
  | { readonly type: "lost"; readonly why: string }
  | { readonly type: "none"; readonly why: string };

/** What a program is told that an agent starts. */
export function channelVariables({ socket, token }: ChannelAddress): Readonly<Record<string, string>> {
  return { [socketVariable]: socket, [tokenVariable]: token };
}

/** Asks the runtime what may be reported here. */
export async function currentDispatch(): Promise<CurrentDispatch> {
  const socket = variable(socketVariable);
  const token = variable(tokenVariable);
  if (socket === null || token === null) {
    const isAgents = socket !== null || token !== null || isStartedByMettle();
    return {
      type: isAgents ? "lost" : "none",
      why: isAgents
        ? `this process belongs to a run of Mettle, and its dispatch cannot be asked: ${socketVariable} or ${tokenVariable} is not set`
        : `no dispatch of Mettle is around this process: ${socketVariable} and ${tokenVariable} are not set`,
    };
  }
  const channel = { socket, token };
  const answer = await callChannel(channel, { call: "describe" });
  if (!answer.ok) return { type: "lost", why: `error[${answer.error.code}]: ${answer.error.message}` };
  const { result } = answer;
  if (!isDescription(result))
    return { type: "lost", why: "what listens at METTLE_SOCKET describes no dispatch" };
  const { role, codes, memory = false, dialogue = false, payloads = false } = result;
  const { envoy = false, plans = false } = result;
  return { type: "dispatch", channel, role, codes, memory, dialogue, payloads, envoy, plans };
}

function isDescription(result: unknown): result is DispatchDescription {
  if (typeof result !== "object" || result === null || !("role" in result) || !("codes" in result))
    return false;
  return typeof result.role === "string" && Array.isArray(result.codes);
}
