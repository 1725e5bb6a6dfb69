/** The decision about a dispatch, in one shape from the wire to the settlement, and the rules for its payload. */
import type * as z from "zod";
import type { EventOf } from "../log/run-event.ts";

export interface Decision {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
  /** How the agent reported it; missing if it reported none, and its end decides. */
  readonly channel?: ReportChannel;
  /** The frozen file that the agent tried to write and the sandbox refused. */
  readonly tried?: string;
}

/** The MCP tool, an answer to a JSON Schema, the last line of text, or an event in the agent's stream. */
export type ReportChannel = NonNullable<EventOf<"result">["channel"]>;

/** Validates the payload of an allowed code; may return a corrected one with the list of changes. */
export type JudgePayload = (
  status: string,
  payload: unknown,
) =>
  | { readonly type: "accepted"; readonly payload: unknown; readonly changes: readonly string[] }
  | { readonly type: "refused"; readonly code: string; readonly why: string; readonly field: string };

/** The schema of a code's payload; null if any payload is valid. */
export type PayloadSchemas = (status: string) => z.ZodType | null;

export interface PayloadRules {
  readonly schemas: PayloadSchemas;
  readonly judge: JudgePayload;
}
