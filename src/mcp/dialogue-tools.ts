/** `observe` and `query`: the dialogue of a dispatch or of a session (RIPER and DPTR, MCP Storage Format, Query Patterns). */
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ChannelAnswer } from "../channel/wire.ts";
import { refusalText } from "./report-tool.ts";
import { failed, type ToolSet } from "./tool-set.ts";

type Call = "observe" | "query";
/** Calls the dialogue: through the channel of a dispatch, or in this process. */
export type DialogueCaller = (call: Call, args: Readonly<Record<string, unknown>>) => Promise<ChannelAnswer>;

export function dialogueTools(caller: DialogueCaller): ToolSet {
  return {
    tools: () => [observeTool, queryTool],
    call: async (name, args) => resultOf(await caller(name === "observe" ? "observe" : "query", args)),
  };
}

const observeTool: Tool = {
  name: "observe",
  title: "Add to the dialogue",
  description:
    "Adds an observation to the dialogue of your dispatch, for your partner and for later rounds. " +
    "Session, round, agent and time are the runtime's.",
  inputSchema: {
    type: "object",
    properties: { content: { type: "string", description: "what you want to say, up to 1 MiB" } },
    required: ["content"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
};

const queryTool: Tool = {
  name: "query",
  title: "Read the dialogue",
  description:
    "Reads observations of your dispatch's session, in order of writing. Patterns: OBS[S{sid},R{current},*,*] this round, " +
    "OBS[S{sid},R{n-1},*,*] the one before, OBS[S{sid},*,A:{agent},*] all of one agent; each place may be *.",
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "OBS[S…,R…,A:…,T:…] with values or *" },
      after: { type: "integer", minimum: 0, description: "`next` of the answer before, to go on" },
      limit: { type: "integer", minimum: 1, maximum: 1000 },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

function resultOf(answer: ChannelAnswer): CallToolResult {
  if (!answer.ok) return failed(refusalText(answer.error));
  return { content: [{ type: "text", text: JSON.stringify(answer.result) }] };
}
