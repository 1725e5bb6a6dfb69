/** The tool `payload`: reads a field of a large payload of a node (V3-57). */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ChannelAddress } from "../channel/channel.ts";
import { callChannel } from "../channel/client.ts";
import { refusalText } from "./report-tool.ts";
import { failed, type ToolSet } from "./tool-set.ts";

export function payloadTools(channel: ChannelAddress): ToolSet {
  return {
    tools: () => [payloadTool],
    async call(_name, { ref, pointer }) {
      const answer = await callChannel(channel, { call: "payload", ref, pointer });
      if (!answer.ok) return failed(refusalText(answer.error));
      const { value } = answer.result as { readonly value?: unknown };
      return { content: [{ type: "text", text: JSON.stringify(value) }] };
    },
  };
}

const payloadTool: Tool = {
  name: "payload",
  title: "Read a part of a payload",
  description:
    "Reads a field of a payload that your prompt names by its reference. Only the path to the field is fetched.",
  inputSchema: {
    type: "object",
    properties: {
      ref: { type: "string", description: "sha256:… as your prompt names it" },
      pointer: {
        type: "string",
        description: "JSON pointer, /coverageReport/criteriaMissing; empty: all of it",
      },
    },
    required: ["ref"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
