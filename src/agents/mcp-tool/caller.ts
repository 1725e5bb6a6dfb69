/**
 * Calls one tool of an MCP server: starts the server, calls the tool with the prompt from standard input, and prints the answer
 * as event lines (event-line.ts). It is a separate process, so that the adapter's deadlines end it with everything it started,
 * and so that no command loads the MCP library. `node mcp-caller.js TOOL MILLISECONDS SERVER …its arguments`
 */
import { text as textOf } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import * as z from "zod";
import { environment } from "../../config/env.ts";
import type { AgentEvent } from "../agent.ts";
import type { EndEvent } from "../event-line.ts";

const [tool = "", timeoutMs = "", command = "", ...args] = process.argv.slice(2);
const Answer = z.object({ content: z.array(z.unknown()), isError: z.boolean().optional() });

try {
  emit(await ask(await textOf(process.stdin)));
} catch (error) {
  emit(failed(error instanceof Error ? error.message : String(error)));
}

async function ask(prompt: string): Promise<AgentEvent | EndEvent> {
  const client = new Client({ name: "mettle", version: "1" });
  try {
    await client.connect(new StdioClientTransport({ command, args, env: environment(), stderr: "inherit" }));
    const timeout = Number(timeoutMs);
    const given = await client.callTool({ name: tool, arguments: { prompt } }, undefined, { timeout });
    const { content, isError = false } = Answer.parse(given);
    const text = content.flatMap((part) => (isText(part) ? part.text : [])).join("\n");
    return isError ? failed(text) : { type: "text", text };
  } finally {
    await client.close();
  }
}

function isText(part: unknown): part is { readonly text: string } {
  return typeof part === "object" && part !== null && "text" in part && typeof part.text === "string";
}

function failed(why: string): EndEvent {
  return { type: "end", outcome: "api_error", why: `${tool}: ${why}` };
}

function emit(event: AgentEvent | EndEvent): void {
  process.stdout.write(`${JSON.stringify({ mettle: 1, ...event })}\n`);
}
