/** The MCP server of Mettle: a thin client of the channel of the dispatch around it. It opens no store. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { Here } from "../runtime/channel/here.ts";
import { callReport, reportName, reportTool } from "./report-tool.ts";

export function mcpServer(here: Here, version: string): Server {
  const server = new Server(
    { name: "mettle", title: "Mettle", version },
    { capabilities: { tools: {} }, instructions: instructions(here) },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: here.type === "dispatch" ? [reportTool(here)] : [],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (here.type === "none") throw new McpError(ErrorCode.InvalidParams, here.why);
    if (params.name !== reportName)
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}; there is ${reportName}`);
    return callReport(here.channel, params.arguments ?? {});
  });
  return server;
}

function instructions(here: Here): string {
  if (here.type === "none") return `No tools are offered: ${here.why}.`;
  return `You work as ${here.role} in a dispatch of Mettle. End it with the tool ${reportName}. Codes: ${here.codes.join(", ")}.`;
}
