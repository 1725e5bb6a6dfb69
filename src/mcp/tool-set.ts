/** The server offers independent sets of tools. A new tool is a new set, or a line in one. */
import type { CallToolResult, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";

export interface ToolSet {
  /** Called for each list, since the tools of a set may change. */
  readonly tools: () => readonly Tool[];
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  /** A document that the set's tools change, served as an MCP resource. */
  readonly document?: ToolDocument;
}

export interface ToolDocument {
  readonly resource: Resource;
  readonly read: () => Promise<string>;
  /** Names of the tools that may change it. */
  readonly changedBy: ReadonlySet<string>;
}

/** Everything one server offers, with instructions for the client's model. */
export interface Offer {
  readonly sets: readonly ToolSet[];
  readonly instructions?: string | undefined;
  /** Text before each answer: the state line during a run of Orchestrate (ORC-88). */
  readonly head?: () => Promise<string | null>;
}

export interface OpenOffer extends Offer {
  readonly close: () => Promise<void>;
  /** The same offer for one of several clients of this process, if the tools must tell the clients apart. */
  readonly seat?: () => SeatOffer;
}

export interface SeatOffer extends Offer {
  /** The client has disconnected. */
  readonly leave: () => Promise<void>;
}

export function emptyOffer(why: string): OpenOffer {
  return { sets: [], instructions: `No tools are offered: ${why}.`, close: async () => undefined };
}

export function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
