/** The MCP server for the given tool sets. It opens no store and knows no tool by name. */
import { setImmediate } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import { serveDocuments, type DocumentResources } from "./documents.ts";
import { failed, type Offer, type ToolSet } from "./tool-set.ts";

export interface RunningServer {
  readonly server: Server;
  /** Resolves when every pending call is answered. */
  settled(): Promise<void>;
}

export function mcpServer(offer: Offer, version: string): RunningServer {
  const { sets, instructions, head = async () => null } = offer;
  const documents = sets.flatMap(({ document }) => (document === undefined ? [] : [document]));
  const server = new Server(
    { name: "mettle", title: "Mettle", version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(documents.length === 0 ? {} : { resources: { subscribe: true, listChanged: true } }),
      },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const served: DocumentResources | null = documents.length === 0 ? null : serveDocuments(server, documents);
  const calls = new Set<Promise<CallToolResult>>();
  const answer = async (set: ToolSet, name: string, args: Readonly<Record<string, unknown>>) => {
    const result = await set.call(name, args);
    if (result.isError !== true) await served?.notifyAfter(name);
    return result;
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: sets.flatMap(({ tools }) => tools()) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const set = sets.find(({ tools }) => tools().some(({ name }) => name === params.name));
    const call = (
      set === undefined
        ? Promise.resolve(failed(unknownTool(params.name, offer)))
        : answer(set, params.name, params.arguments ?? {})
    ).then(async (result) => withHead(result, await head().catch(() => null)));
    calls.add(call);
    return call.finally(() => calls.delete(call));
  });
  return {
    server,
    async settled() {
      await Promise.allSettled(calls);
      // The SDK writes an answer after its handler has returned.
      await setImmediate();
    },
  };
}

function withHead(result: CallToolResult, line: string | null): CallToolResult {
  return line === null ? result : { ...result, content: [{ type: "text", text: line }, ...result.content] };
}

/** The message of the SDK's servers; an empty offer adds the reason. */
function unknownTool(name: string, { sets, instructions }: Offer): string {
  const why = sets.length > 0 || instructions === undefined ? "" : `. ${instructions}`;
  return `MCP error -32602: Tool ${name} not found${why}`;
}
