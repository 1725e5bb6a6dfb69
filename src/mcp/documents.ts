/** Serves the documents of the tool sets as MCP resources: list, read, and notify subscribers. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ToolDocument } from "./tool-set.ts";

export interface DocumentResources {
  /** Notifies subscribers of the documents that this tool changes. */
  notifyAfter(tool: string): Promise<void>;
}

export function serveDocuments(server: Server, documents: readonly ToolDocument[]): DocumentResources {
  const subscribed = new Set<string>();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: documents.map(({ resource }) => resource),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
    const document = documents.find(({ resource }) => resource.uri === params.uri);
    if (document === undefined)
      throw new McpError(ErrorCode.InvalidParams, `Resource ${params.uri} not found`);
    const { uri, mimeType } = document.resource;
    return {
      contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), text: await document.read() }],
    };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    // Only existing documents are stored, so that no client can fill the memory.
    if (documents.some(({ resource }) => resource.uri === params.uri)) subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  return {
    async notifyAfter(tool) {
      for (const { resource, changedBy } of documents)
        if (changedBy.has(tool) && subscribed.has(resource.uri))
          await server.sendResourceUpdated({ uri: resource.uri });
    },
  };
}
