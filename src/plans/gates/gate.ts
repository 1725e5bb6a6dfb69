/**
 * A blocking gate: a file in `user_feedback/` that a person fills in while an agent's call waits. Each kind of gate (testing,
 * logging, variants, findings, review questions) defines its question and the effect of an answer in a file of its own; opening,
 * reading and recording are the same for all.
 */
import type { By } from "../../log/by.ts";
import * as z from "zod";
import type { PlanFolder } from "../write.ts";

export interface PlanGate<Fields extends object = object> {
  /** The name of its file, without extension. */
  readonly name: string;
  readonly plan: PlanFolder;
  /** The heading of the answer in `user_input.md`. */
  readonly title: string;
  readonly shown: GateSubject;
  /** The head of the file: the question and how to answer it. */
  readonly comments: readonly string[];
  /** The initial fields of the file, without `done` and `thoughts`. */
  readonly blank: Readonly<Record<string, unknown>>;
  /** The schema of the whole file. Every field is required, so that a half-saved file is not an answer. */
  readonly schema: z.ZodType<Fields & CommonFields>;
  /** The head of the file for logs; null if the gate takes no logs. */
  readonly logsHead: readonly string[] | null;
  /** Finds errors in an answer that fits the schema. Throws if the gate is no longer open. */
  readonly judge: (given: ParsedAnswer<Fields>) => Promise<AnswerError | null>;
  /** The text for `user_input.md`; may be empty. */
  readonly words: (fields: Fields & CommonFields) => string;
  /** Applies the answer to the plan. Idempotent. */
  readonly apply: (answer: PlanGateAnswer, fields: Fields & CommonFields) => Promise<void>;
  /** The `key` of `shown` after `apply`, if the answer changes it. */
  readonly keyAfter?: () => Promise<string>;
}

/** The work that an answer is about: with another key, the gate asks again. */
export interface GateSubject {
  readonly key: string;
  readonly iteration: number | null;
  readonly tree: string | null;
}

/** The fields of every gate's file, besides `done`. */
export interface CommonFields {
  readonly thoughts: string;
}

export interface ParsedAnswer<Fields> {
  readonly fields: Fields & CommonFields;
  readonly logs: string;
  readonly shown: GateSubject;
}

export interface AnswerError {
  readonly field: string;
  readonly message: string;
  readonly code?: "all_variants_rejected";
}

/** A recorded answer. */
export interface PlanGateAnswer {
  readonly id: string;
  readonly gate: string;
  readonly shown: GateSubject;
  /** All fields of the file. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Address of the complete logs in the payload store; null without logs. */
  readonly logs: string | null;
  readonly by: By;
  readonly at: string;
  readonly opened_at: string;
  /** Whether the answer was applied. */
  readonly settled: boolean;
  readonly after: string | null;
  /** Whether a call has returned it; absent in older records. */
  readonly returned?: boolean | undefined;
}

/** A text that may be empty; YAML's null counts as empty. */
export const OptionalText = z
  .string()
  .nullable()
  .transform((text) => text ?? "");

/** The schema of a gate's file with these additional fields. */
export function gateSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ done: z.literal(true), ...shape, thoughts: OptionalText });
}

/** Joins the texts that are not empty with blank lines between them. */
export function joinParagraphs(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}
