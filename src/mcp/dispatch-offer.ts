/** The tools of an agent within its dispatch: thin clients of the channel, which open no store (CORE-98). */
import type { GraphCallResult } from "../memory/graph/call.ts";
import type { ChannelAddress } from "../channel/channel.ts";
import { callChannel } from "../channel/client.ts";
import type { CurrentDispatch } from "../channel/current-dispatch.ts";
import { dialogueTools } from "./dialogue-tools.ts";
import { memoryTools, type GraphCaller } from "./memory-tools.ts";
import { payloadTools } from "./payload-tool.ts";
import { refusalText, reportName, reportTools } from "./report-tool.ts";
import type { Offer } from "./tool-set.ts";

export function dispatchOffer({
  channel,
  role,
  codes,
  memory,
  dialogue,
  payloads,
  plans,
}: Extract<CurrentDispatch, { type: "dispatch" }>): Offer {
  return {
    sets: [
      reportTools(channel, { role, codes, plans }),
      ...(memory ? [memoryTools(graphBehind(channel))] : []),
      ...(payloads ? [payloadTools(channel)] : []),
      ...(dialogue ? [dialogueTools((call, args) => callChannel(channel, { call, ...args }))] : []),
    ],
    head: async () => {
      const answer = await callChannel(channel, { call: "describe" });
      const line = answer.ok ? (answer.result as { readonly state_line?: unknown }).state_line : null;
      return typeof line === "string" ? line : null;
    },
    instructions: `You work as ${role} in a dispatch of Mettle. End it with the tool ${reportName}. Codes: ${codes.join(", ")}.`,
  };
}

function graphBehind(channel: ChannelAddress): GraphCaller {
  return async (tool, args) => {
    const answer = await callChannel(channel, { call: "memory", tool, args });
    if (!answer.ok) return { type: "failed", why: refusalText(answer.error) };
    return isGraphResult(answer.result)
      ? answer.result
      : { type: "failed", why: "the process at METTLE_SOCKET sent an invalid answer" };
  };
}

/** Checks only the outline: the runtime is trusted with the rest. */
function isGraphResult(result: unknown): result is GraphCallResult {
  return (
    typeof result === "object" &&
    result !== null &&
    "type" in result &&
    ("value" in result || "why" in result)
  );
}
