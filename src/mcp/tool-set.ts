/** What the server offers: sets of tools that know nothing of each other. A new tool is a set, or a line in one. */
import type { CallToolResult, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";

export interface ToolSet {
  /** Called for each list, since what a set offers may depend on the moment. */
  readonly tools: () => readonly Tool[];
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  /** A document that the set's tools change, for clients that read rather than call. */
  readonly document?: ToolDocument;
}

export interface ToolDocument {
  readonly resource: Resource;
  readonly read: () => Promise<string>;
  /** Names of the tools after which it may be another. */
  readonly changedBy: ReadonlySet<string>;
}

/** All that one server offers, and what its client's model is told at the start. */
export interface Offer {
  readonly sets: readonly ToolSet[];
  readonly instructions?: string | undefined;
  /** What each answer begins with, as a text of its own: the state line while a run of Orchestrate goes on (ORC-88). */
  readonly head?: () => Promise<string | null>;
}

export interface OpenOffer extends Offer {
  readonly close: () => Promise<void>;
  /** The same to one of several clients of this process, where it matters who of them calls. */
  readonly seat?: () => SeatOffer;
}

export interface SeatOffer extends Offer {
  /** This client has gone. */
  readonly leave: () => Promise<void>;
}

export function emptyOffer(why: string): OpenOffer {
  return { sets: [], instructions: `No tools are offered: ${why}.`, close: async () => undefined };
}

export function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
