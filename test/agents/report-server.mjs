// An MCP server with one tool, `report`: each call is a line in the file that $REPORTED names.
import { appendFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";

const server = new McpServer({ name: "mettle", version: "1" });
const inputSchema = { status: z.string(), message: z.string() };
server.registerTool("report", { description: "Reports.", inputSchema }, (input) => {
  appendFileSync(process.env.REPORTED, `${JSON.stringify(input)}\n`);
  return { content: [{ type: "text", text: "accepted" }] };
});
await server.connect(new StdioServerTransport());
