/** What a person can decide in the page. The page's server checks only the form; `mettle` itself decides as its commands do. */
import * as z from "zod";
import type { Decision, GateAnswer } from "../page/app/wire.ts";

const text = z.string().max(100_000);
/** The hash of what the page showed of an ask. */
const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/u, "must be a hash");
const ask = { ask: z.string().max(1000), hash };

const commit = z.string().regex(/^[0-9a-f]{40,64}$/u, "must be the whole id of a commit");

/** A comment of a person on a line of a document or a diff. */
const LineComment = z.object({
  of: z.discriminatedUnion("type", [
    z.object({ type: z.literal("document"), ref: hash }),
    z.object({ type: z.literal("diff"), commit, from: commit.nullable() }),
  ]),
  /** Name of the document, or path of the file. */
  file: z.string().min(1).max(1000),
  line: z.number().int().min(1),
  side: z.enum(["before", "after"]),
  text: z.string().trim().min(1).max(20_000),
});

export const DecisionForm: z.ZodType<Decision> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approve"), ...ask }),
  z.object({ type: z.literal("reject"), ...ask, reason: text, comments: z.array(LineComment).max(500) }),
  /** Clarifying questions. */
  z.object({
    type: z.literal("answer"),
    ...ask,
    answers: z
      .array(z.object({ id: z.string().max(100), text }))
      .min(1)
      .max(500),
  }),
  /** One of the answers that the ask names, with a text. */
  z.object({ type: z.literal("choose"), ...ask, answer: z.string().max(100), text }),
  /** A base of which tests fail, by their number. */
  z.object({ type: z.literal("accept-base"), ...ask, count: z.number().int() }),
  /** A breaker: go back to a commit, tell the agent more, or ask for another approach. */
  z.object({
    type: z.literal("resume-with"),
    ...ask,
    choice: z.enum(["reset", "context", "approach"]),
    text,
  }),
  /** Goes on without an answer; the text is for the agents that work next. `state` is the hash of the run's state as it was shown. */
  z.object({ type: z.literal("resume"), state: hash, text }),
  z.object({ type: z.literal("pause"), state: hash }),
  z.object({ type: z.literal("abort"), state: hash, reason: text }),
  z.object({
    type: z.literal("abort-node"),
    node: z.string().max(1000),
    shown: z.string().regex(/^[0-9a-f]{16}$/u, "must be a hash"),
    reason: text,
  }),
]);

/** A gate of an Envoy plan. */
export const GateAnswerForm: z.ZodType<GateAnswer> = z.object({
  branch: z.string().max(1000),
  gate: z.string().max(200),
  /** Hash of the gate's form as it was shown. */
  hash,
  /** Field, with dots between its parts, and its value. */
  sets: z.array(z.tuple([z.string().max(300), text])).max(200),
});

/** Where a decision is made: a folder of its repository. */
export interface DecisionPlace {
  readonly folder: string;
}

/** What `mettle` does for a person in the page. A refused decision throws the error that the command would print. */
export interface Deciders {
  decide(place: DecisionPlace & { readonly run: string }, decision: Decision): Promise<void>;
  answerGate(place: DecisionPlace, answer: GateAnswer): Promise<void>;
}
