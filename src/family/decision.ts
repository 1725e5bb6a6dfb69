/** What an agent reports at the end of a dispatch, and what its payload must be. */
import type { z } from "zod";
import type { EventOf } from "../log/run-event.ts";

export interface Report {
  readonly status: string;
  readonly message: string;
  readonly payload?: unknown;
}

/** By the MCP tool, by an answer to a JSON Schema, by the last line, or by an event in the agent's own stream. */
export type ReportChannel = NonNullable<EventOf<"result">["channel"]>;

export interface Decision extends Report {
  readonly channel: ReportChannel;
}

/** Judges the payload of a code that may be reported here; it may give back another one, and says what it changed. */
export type JudgePayload = (
  status: string,
  payload: unknown,
) =>
  | { readonly type: "accepted"; readonly payload: unknown; readonly changes: readonly string[] }
  | { readonly type: "refused"; readonly code: string; readonly why: string; readonly field: string };

/** The schema that goes with a code here, null where the payload may be anything. */
export type PayloadSchemas = (status: string) => z.ZodType | null;

export interface PayloadRules {
  readonly schemas: PayloadSchemas;
  readonly judge: JudgePayload;
}
