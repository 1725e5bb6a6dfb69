/** Finds the dispatch that this process runs in, by its environment. */
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
      /** The channel serves the knowledge graph. */
      readonly memory: boolean;
      /** The dispatch has a dialogue. */
      readonly dialogue: boolean;
      /** The channel serves parts of payloads. */
      readonly payloads: boolean;
      /** The channel serves the read-only commands of Envoy. */
      readonly envoy: boolean;
      /** The agent is in its plan mode. */
      readonly plans: boolean;
    }
  /** The dispatch cannot be reached. The process belongs to an agent all the same, and must open no store. */
  | { readonly type: "lost"; readonly why: string }
  | { readonly type: "none"; readonly why: string };

/** Environment variables for the programs that an agent starts. */
export function channelVariables({ socket, token }: ChannelAddress): Readonly<Record<string, string>> {
  return { [socketVariable]: socket, [tokenVariable]: token };
}

/** Asks the runtime to describe the dispatch. */
export async function currentDispatch(): Promise<CurrentDispatch> {
  const socket = variable(socketVariable);
  const token = variable(tokenVariable);
  if (socket === null || token === null) {
    const isAgents = socket !== null || token !== null || isStartedByMettle();
    return {
      type: isAgents ? "lost" : "none",
      why: isAgents
        ? `this process belongs to a run of Mettle, but its channel is unknown: ${socketVariable} or ${tokenVariable} is not set`
        : `this process does not belong to a dispatch of Mettle: ${socketVariable} and ${tokenVariable} are not set`,
    };
  }
  const channel = { socket, token };
  const answer = await callChannel(channel, { call: "describe" });
  if (!answer.ok) return { type: "lost", why: `error[${answer.error.code}]: ${answer.error.message}` };
  const { result } = answer;
  if (!isDescription(result))
    return { type: "lost", why: "the process at METTLE_SOCKET is not a dispatch of Mettle" };
  const { role, codes, memory = false, dialogue = false, payloads = false } = result;
  const { envoy = false, plans = false } = result;
  return { type: "dispatch", channel, role, codes, memory, dialogue, payloads, envoy, plans };
}

function isDescription(result: unknown): result is DispatchDescription {
  if (typeof result !== "object" || result === null || !("role" in result) || !("codes" in result))
    return false;
  return typeof result.role === "string" && Array.isArray(result.codes);
}
