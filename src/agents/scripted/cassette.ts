import { z } from "zod";
import { EndOutcome } from "../event-line.ts";

export const Report = z.strictObject({
  status: z.string(),
  message: z.string().default(""),
  payload: z.unknown().optional(),
});

/**
 * The cassette: a scripted agent's behaviour as data, version 1. One list of turns for each role; the nth dispatch of
 * a role plays its nth turn. Documented in docs/cassettes.md.
 */
export const Step = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ write: z.strictObject({ path: z.string(), content: z.string() }) }),
  z.strictObject({ edit: z.strictObject({ path: z.string(), find: z.string(), replace: z.string() }) }),
  z.strictObject({ delete: z.string() }),
  /** Run by `/bin/sh -c` in the workspace; its output is tool output, not the agent's text. */
  z.strictObject({ shell: z.string() }),
  /** Raw bytes on stdout outside the event stream. */
  z.strictObject({
    print: z.strictObject({ bytes: z.number().int().positive(), hex: z.string().default("78") }),
  }),
  z.strictObject({
    usage: z.strictObject({
      context: z.number().optional(),
      inputTokens: z.number().optional(),
      outputTokens: z.number().optional(),
      costUsd: z.number().optional(),
    }),
  }),
  /** Reports at the channel of the dispatch, as an agent with MCP does; the answer is tool output. */
  z.strictObject({ channel: Report }),
  /** Adds to the dialogue of the dispatch, and asks for what stands in it; the answer is tool output. */
  z.strictObject({ observe: z.string() }),
  z.strictObject({ query: z.string() }),
  /** Reads a field of a payload that was handed to its node; the answer is tool output. */
  z.strictObject({ payload: z.strictObject({ ref: z.string(), pointer: z.string().default("") }) }),
  /** Tells that its own rules refused a tool call. */
  z.strictObject({ denied: z.strictObject({ name: z.string(), detail: z.string().default("") }) }),
  z.strictObject({ sleep: z.number().int().nonnegative() }),
  z.strictObject({ hang: z.literal(true) }),
  z.strictObject({ ignoreSigterm: z.literal(true) }),
  /** Leaves a process in a session of its own that sleeps for so many seconds. */
  z.strictObject({ detach: z.number().int().positive() }),
  /** Ends at once as an agent does that met a limit of its model or account. */
  z.strictObject({ fails: z.strictObject({ outcome: EndOutcome, why: z.string().default("") }) }),
  z.strictObject({ crash: z.union([z.number().int(), z.string()]) }),
]);

const Reply = z.strictObject({
  does: z.array(Step).default([]),
  report: Report.optional(),
});

export const Turn = Reply.extend({
  /** The whole prompt, of a recorded turn: another one does not fit. */
  prompt: z.string().optional(),
  /** Texts that the prompt must contain, and must not; otherwise the cassette does not fit. */
  expects: z.array(z.string()).default([]),
  forbids: z.array(z.string()).default([]),
  /** What it answers to each reminder within the same dispatch. */
  nudges: z.array(Reply).default([]),
  /** Plays this turn again for every later dispatch of the role; only on the last turn. */
  repeat: z.boolean().default(false),
});

export const Cassette = z.strictObject({
  version: z.literal(1),
  kind: z.literal("cassette"),
  about: z.string().default(""),
  task: z.string().default(""),
  /** What its agent can do with a conversation: fork it, only go on with it, or not even that. */
  conversations: z.enum(["forks", "resumes", "none"]).default("forks"),
  /** Role -> vendor that the scripted agent pretends to be; `scripted` where not named. */
  vendors: z.record(z.string(), z.string()).default({}),
  roles: z.record(z.string(), z.array(Turn)).default({}),
  /** Node of a graph -> its roles; what it does not name stands in `roles`. */
  nodes: z.record(z.string(), z.record(z.string(), z.array(Turn))).default({}),
});

export type Step = z.infer<typeof Step>;
export type Reply = z.infer<typeof Reply>;
export type Turn = z.infer<typeof Turn>;
export type Cassette = z.infer<typeof Cassette>;
