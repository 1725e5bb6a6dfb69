/** The tool `report`, by which an agent ends its dispatch. It passes the call to the runtime and returns its answer. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { ChannelAddress } from "../channel/channel.ts";
import { callChannel } from "../channel/client.ts";
import type { ChannelRefusal } from "../channel/wire.ts";
import { failed, type ToolSet } from "./tool-set.ts";

export const reportName = "report";

interface DispatchInfo {
  readonly role: string;
  readonly codes: readonly string[];
  /** The agent is in plan mode, where only read-only tools work: `report` then declares itself read-only. */
  readonly plans?: boolean | undefined;
}

export function reportTools(channel: ChannelAddress, about: DispatchInfo): ToolSet {
  return { tools: () => [reportTool(about)], call: (_name, args) => callReport(channel, args) };
}

function reportTool({ role, codes, plans = false }: DispatchInfo): Tool {
  return {
    name: reportName,
    title: "Report the decision",
    description:
      `Ends your work as ${role} with exactly one decision. Call it once, when everything else is done. ` +
      `Codes that are accepted: ${codes.join(", ")}. The first accepted decision counts; ` +
      "a refused one says why, and you report again.",
    inputSchema: {
      type: "object",
      properties: {
        status: { type: "string", enum: [...codes], description: "the code of your decision" },
        message: { type: "string", description: "one sentence: what you did, found, or need" },
        payload: { description: "what your instructions ask for beside the message, where they do" },
      },
      required: ["status", "message"],
    },
    annotations: {
      title: "Report the decision",
      readOnlyHint: plans,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  };
}

async function callReport(
  channel: ChannelAddress,
  { status, message, payload }: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const answer = await callChannel(channel, { call: "report", status, message, payload });
  if (!answer.ok) return failed(refusalText(answer.error));
  return {
    content: [{ type: "text", text: `accepted: ${String(status)}. Your work is decided; end it here.` }],
  };
}

export function refusalText({ code, message, hint, field, pointer }: ChannelRefusal): string {
  const at = [
    ...(field === undefined ? [] : [`field: ${field}`]),
    ...(pointer === undefined ? [] : [`pointer: ${pointer}`]),
  ];
  return [`error[${code}]: ${message}`, ...at, `hint: ${hint}`].join("\n");
}
