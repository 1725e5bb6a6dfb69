// An MCP server with one tool, on standard input and output: records its calls and returns a given answer.
// `node mcp-stub.mjs TOOL CALLED.json [ANSWER.txt]`; the tools `fail` and `hang` fail and hang.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";

const [tool, called, answer] = process.argv.slice(2);
const server = new McpServer({ name: "stub", version: "1.0.0" });
server.registerTool(tool, { inputSchema: z.looseObject({}) }, (given) => {
  writeFileSync(called, JSON.stringify(given));
  if (tool === "hang") return new Promise(() => {});
  if (tool === "fail") throw new Error("the model is away");
  const text = answer !== undefined && existsSync(answer) ? readFileSync(answer, "utf8") : "ok";
  return { content: [{ type: "text", text }] };
});
await server.connect(new StdioServerTransport());
