import * as z from "zod";
import { EndOutcome, resetFields } from "../event-line.ts";

export const Report = z.strictObject({
  status: z.string(),
  message: z.string().default(""),
  payload: z.unknown().optional(),
});

/**
 * The cassette: the behaviour of a scripted agent as data, version 1. Each role has a list of turns; the nth dispatch of the
 * role plays the nth turn. Documented in docs/cassettes.md.
 */
export const CassetteStep = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ write: z.strictObject({ path: z.string(), content: z.string() }) }),
  z.strictObject({ edit: z.strictObject({ path: z.string(), find: z.string(), replace: z.string() }) }),
  z.strictObject({ delete: z.string() }),
  /** Run by `/bin/sh -c` in the workspace; the output counts as tool output. */
  z.strictObject({ shell: z.string() }),
  /** Raw bytes on standard output, outside the event lines. */
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
  /** Reports on the channel of the dispatch, as an agent with MCP does; the answer counts as tool output. */
  z.strictObject({ channel: Report }),
  /** Adds to the dialogue of the dispatch; the answer counts as tool output. */
  z.strictObject({ observe: z.string() }),
  /** Reads the dialogue of the dispatch. */
  z.strictObject({ query: z.string() }),
  /** Reads a field of a payload of its node; the answer counts as tool output. */
  z.strictObject({ payload: z.strictObject({ ref: z.string(), pointer: z.string().default("") }) }),
  /** Reports a denied tool call. */
  z.strictObject({ denied: z.strictObject({ name: z.string(), detail: z.string().default("") }) }),
  z.strictObject({ sleep: z.number().int().nonnegative() }),
  z.strictObject({ hang: z.literal(true) }),
  z.strictObject({ ignoreSigterm: z.literal(true) }),
  /** Leaves a detached process that sleeps for this number of seconds. */
  z.strictObject({ detach: z.number().int().positive() }),
  /** Ends as an agent that reached a limit of its model or account. */
  z.strictObject({
    fails: z.strictObject({ outcome: EndOutcome, why: z.string().default(""), ...resetFields }),
  }),
  z.strictObject({ crash: z.union([z.number().int(), z.string()]) }),
]);

const Reply = z.strictObject({
  does: z.array(CassetteStep).default([]),
  report: Report.optional(),
});

export const CassetteTurn = Reply.extend({
  /** The whole prompt of a recorded turn: another prompt does not match. */
  prompt: z.string().optional(),
  /** Texts that the prompt must contain. */
  expects: z.array(z.string()).default([]),
  /** Texts that the prompt must not contain. */
  forbids: z.array(z.string()).default([]),
  /** Replies to the reminders within the same dispatch. */
  nudges: z.array(Reply).default([]),
  /** Repeats this turn for every later dispatch of the role; allowed only on the last turn. */
  repeat: z.boolean().default(false),
});

export const Cassette = z.strictObject({
  version: z.literal(1),
  kind: z.literal("cassette"),
  about: z.string().default(""),
  task: z.string().default(""),
  /** What the agent can do with a conversation: fork it, only resume it, or neither. */
  conversations: z.enum(["forks", "resumes", "none"]).default("forks"),
  /** Role -> vendor that the scripted agent reports; default `scripted`. */
  vendors: z.record(z.string(), z.string()).default({}),
  roles: z.record(z.string(), z.array(CassetteTurn)).default({}),
  /** Node of a graph -> its roles; other roles are taken from `roles`. */
  nodes: z.record(z.string(), z.record(z.string(), z.array(CassetteTurn))).default({}),
});

export type CassetteStep = z.infer<typeof CassetteStep>;
export type Reply = z.infer<typeof Reply>;
export type CassetteTurn = z.infer<typeof CassetteTurn>;
export type Cassette = z.infer<typeof Cassette>;
