/** The nine tools of `@modelcontextprotocol/server-memory`, with the same names, schemas and messages, on a durable store. */
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { GraphCallResult } from "../memory/graph/call.ts";
import { graphShapes, isGraphCall, type GraphCall } from "../memory/graph/shapes.ts";
import { failed, type ToolSet } from "./tool-set.ts";

/** Calls the graph: in this process, or through the channel of a dispatch. */
export type GraphCaller = (call: GraphCall, args: unknown) => Promise<GraphCallResult>;

export function memoryTools(caller: GraphCaller): ToolSet {
  return {
    tools: () => described,
    call: async (name, args) =>
      isGraphCall(name) ? resultOf(name, await caller(name, args)) : failed(`the graph has no tool ${name}`),
    document: {
      resource: {
        uri: "memory://knowledge-graph",
        name: "knowledge-graph",
        title: "Knowledge Graph",
        description: "The full knowledge graph with all entities and relations",
        mimeType: "application/json",
      },
      read: async () => {
        const result = await caller("read_graph", {});
        if (result.type === "answered") return pretty(result.value);
        throw new Error(result.why);
      },
      changedBy: new Set(Object.keys(kinds).filter((name) => isGraphCall(name) && kinds[name] !== "reads")),
    },
  };
}

const kinds: Readonly<Record<GraphCall, "adds" | "deletes" | "reads">> = {
  create_entities: "adds",
  create_relations: "adds",
  add_observations: "adds",
  delete_entities: "deletes",
  delete_observations: "deletes",
  delete_relations: "deletes",
  read_graph: "reads",
  search_nodes: "reads",
  open_nodes: "reads",
};

const descriptions: Readonly<Record<GraphCall, string>> = {
  create_entities: "Create multiple new entities in the knowledge graph",
  create_relations:
    "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
  add_observations: "Add new observations to existing entities in the knowledge graph",
  delete_entities: "Delete multiple entities and their associated relations from the knowledge graph",
  delete_observations: "Delete specific observations from entities in the knowledge graph",
  delete_relations: "Delete multiple relations from the knowledge graph",
  read_graph: "Read the entire knowledge graph",
  search_nodes: "Search for nodes in the knowledge graph based on a query",
  open_nodes: "Open specific nodes in the knowledge graph by their names",
};

const described: readonly Tool[] = Object.keys(graphShapes)
  .filter((name) => isGraphCall(name))
  .map((name) => ({
    name,
    title: titleOf(name),
    description: descriptions[name],
    inputSchema: schemaOf(graphShapes[name].input, "input"),
    annotations: {
      readOnlyHint: kinds[name] === "reads",
      destructiveHint: kinds[name] === "deletes",
      idempotentHint: kinds[name] !== "adds",
      openWorldHint: false,
    },
    execution: { taskSupport: "forbidden" },
    outputSchema: schemaOf(graphShapes[name].output, "output"),
  }));

/** `add_observations` becomes Add Observations. */
function titleOf(name: GraphCall): string {
  return name
    .split("_")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(" ");
}

function schemaOf(shape: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  // Every shape is an object, as the type requires.
  return z.toJSONSchema(shape, { target: "draft-7", io }) as Tool["inputSchema"];
}

function resultOf(call: GraphCall, result: GraphCallResult): CallToolResult {
  switch (result.type) {
    case "answered":
      return {
        content: [{ type: "text", text: textOf(call, result.value) }],
        structuredContent: result.value,
      };
    case "misread":
      return failed(
        `MCP error -32602: Input validation error: Invalid arguments for tool ${call}: ${result.why}`,
      );
    case "failed":
      return failed(result.why);
  }
}

/** Lists are printed without their name in the structured content. */
function textOf(call: GraphCall, value: Readonly<Record<string, unknown>>): string {
  switch (kinds[call]) {
    case "adds":
      return pretty(Object.values(value)[0]);
    case "deletes":
      return String(value["message"]);
    case "reads":
      return pretty(value);
  }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
