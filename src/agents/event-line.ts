/**
 * The event lines of a custom agent program: `{"mettle":1,"type":…}`, one JSON object per line on standard output. Every
 * other line is the agent's text. docs/agents.md describes them; the scripted agent uses them too.
 */
import * as z from "zod";
import type { AgentEvent } from "./agent.ts";
import { parseJson } from "../lib/json.ts";

/** Failures that only the program can report; a normal exit needs no `end` line. */
export const EndOutcome = z.enum([
  "max_turns",
  "budget",
  "rate_limited",
  "auth",
  "api_error",
  "schema_failed",
]);

/** When a usage limit ends: a time, or a wait from now. */
export const resetFields = {
  resetsAt: z.iso.datetime({ offset: true }).optional(),
  retryAfterMs: z.int().min(0).optional(),
};

const EventLine = z.discriminatedUnion("type", [
  z.object({ mettle: z.literal(1), type: z.literal("text"), text: z.string() }),
  z.object({ mettle: z.literal(1), type: z.literal("tool"), name: z.string(), detail: z.string() }),
  z.object({ mettle: z.literal(1), type: z.literal("running"), tools: z.int().min(0) }),
  z.object({ mettle: z.literal(1), type: z.literal("alive") }),
  z.object({ mettle: z.literal(1), type: z.literal("denied"), name: z.string(), detail: z.string() }),
  z.object({ mettle: z.literal(1), type: z.literal("retry"), status: z.number().nullable() }),
  z.object({
    mettle: z.literal(1),
    type: z.literal("usage"),
    context: z.number().optional(),
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    costUsd: z.number().optional(),
  }),
  z.object({
    mettle: z.literal(1),
    type: z.literal("report"),
    status: z.string(),
    message: z.string().default(""),
    payload: z.unknown().optional(),
  }),
  z.object({
    mettle: z.literal(1),
    type: z.literal("end"),
    outcome: EndOutcome,
    why: z.string().default(""),
    ...resetFields,
  }),
]);

export interface EndEvent {
  readonly type: "end";
  readonly outcome: z.infer<typeof EndOutcome>;
  readonly why: string;
  readonly resetsAt?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Null when the line is the agent's text. */
export function readEventLine(line: string): AgentEvent | EndEvent | null {
  if (!line.startsWith('{"mettle":1')) return null;
  const parsed = EventLine.safeParse(parseJson(line));
  if (!parsed.success) return null;
  const { mettle: _, ...event } = parsed.data;
  return event;
}
