/**
 * The protocol of a dispatch's socket: one JSON object per line, and one answer for each. Unknown fields are ignored, a newer
 * version is refused (docs/compatibility.md).
 */
import * as z from "zod";
import { relevantIssue } from "../lib/plain-issues.ts";

export const wireVersion = 1;

/** A longer line is refused and dropped. */
export const maxLineBytes = 1 << 20;

/** Fields of every request. */
export const Envelope = z.object({
  version: z.int(),
  token: z.string(),
  call: z.string(),
});

/** Result of `describe`: what this dispatch accepts. */
export const DispatchDescription = z.object({
  role: z.string(),
  /** Codes that `report` accepts. */
  codes: z.array(z.string()),
  /** The agent is in its plan mode. */
  plans: z.boolean().optional(),
  /** The call `memory` is served. */
  memory: z.boolean().optional(),
  /** The calls `observe` and `query` are served. */
  dialogue: z.boolean().optional(),
  /** The call `payload` is served. */
  payloads: z.boolean().optional(),
  /** The call `envoy` is served. */
  envoy: z.boolean().optional(),
  /** First line of each answer to the agent; only protocols with numbered phases have one (ORC-88). */
  state_line: z.string().optional(),
});

/** `memory`: one of the nine calls of the knowledge graph. */
export const MemoryCall = z.object({ tool: z.string(), args: z.unknown().optional() });

/** `payload`: a field of one of the node's payloads. */
export const PayloadCall = z.object({ ref: z.string(), pointer: z.string().max(4096).default("") });

/** `report`: the agent's decision. */
export const ReportCall = z.object({
  status: z.string().min(1).max(64),
  message: z.string().max(16_000).default(""),
  payload: z.unknown().optional(),
});

export const AcceptedReport = z.object({ accepted: z.string() });

/** Why a call was refused. Explained in docs/errors.md. */
export const ChannelRefusal = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  /** The invalid field, `payload.questions.0.id`. */
  field: z.string().optional(),
  /** The same as a JSON pointer into a report's payload, `/questions/0/id`. */
  pointer: z.string().optional(),
  /** The accepted codes. */
  codes: z.array(z.string()).optional(),
});

export const ChannelAnswer = z.discriminatedUnion("ok", [
  z.object({ version: z.literal(1), ok: z.literal(true), result: z.unknown() }),
  z.object({ version: z.literal(1), ok: z.literal(false), error: ChannelRefusal }),
]);

export type DispatchDescription = z.infer<typeof DispatchDescription>;
export type ReportCall = z.infer<typeof ReportCall>;
export type AcceptedReport = z.infer<typeof AcceptedReport>;
export type ChannelRefusal = z.infer<typeof ChannelRefusal>;
export type ChannelAnswer = z.infer<typeof ChannelAnswer>;

export function okAnswer(result: unknown): ChannelAnswer {
  return { version: wireVersion, ok: true, result };
}

export function errorAnswer(error: ChannelRefusal): ChannelAnswer {
  return { version: wireVersion, ok: false, error };
}

/** The first fault of a request, with its path below `within`. */
export function firstFault({ issues }: z.ZodError, within: string): { field: string; why: string } {
  const [issue] = issues;
  const { path, message } =
    issue === undefined ? { path: [], message: "it has another shape" } : relevantIssue(issue);
  const field = [...(within === "" ? [] : [within]), ...path.map(String)].join(".");
  return { field, why: message };
}
