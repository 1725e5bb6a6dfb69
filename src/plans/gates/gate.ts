/**
 * A blocking gate: a file in `user_feedback/` that a person fills in while an agent's call waits. What is asked and what an
 * answer does belongs to the gate (one file each: testing, logging, variants, findings, review questions); how it is asked,
 * read and recorded is the same for all of them.
 */
import type { By } from "../../log/by.ts";
import { z } from "zod";
import type { PlanFolder } from "../write.ts";

export interface Gate<Fields extends object = object> {
  /** Of its file, without extension. */
  readonly name: string;
  readonly plan: PlanFolder;
  /** What stands in brackets above the answer in `user_input.md`. */
  readonly title: string;
  readonly shown: GateSubject;
  /** The head of the file: what is decided, and how to answer. */
  readonly comments: readonly string[];
  /** The fields of the file as long as nobody has answered, without `done` and `thoughts`. */
  readonly blank: Readonly<Record<string, unknown>>;
  /** Of the whole file; nothing may be missing, so that a file that is half saved is no answer. */
  readonly schema: z.ZodType<Fields & CommonFields>;
  /** What stands above the logs in the file beside it; null where it takes none. */
  readonly logsHead: readonly string[] | null;
  /** What is wrong with an answer of the right shape. Throws where the gate itself is over. */
  readonly judge: (given: ParsedAnswer<Fields>) => Promise<AnswerError | null>;
  /** For `user_input.md`; empty where there is nothing to say. */
  readonly words: (fields: Fields & CommonFields) => string;
  /** What the answer changes in the plan. May be done twice. */
  readonly apply: (answer: Answer, fields: Fields & CommonFields) => Promise<void>;
  /** The `key` of `shown` after that, where the answer changes what is shown. */
  readonly keyAfter?: () => Promise<string>;
}

/** What an answer is bound to: for another key the gate asks again. */
export interface GateSubject {
  readonly key: string;
  readonly iteration: number | null;
  readonly tree: string | null;
}

/** A person writes `done: true` last. */
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

/** As it is recorded. */
export interface Answer {
  readonly id: string;
  readonly gate: string;
  readonly shown: GateSubject;
  /** The whole file's fields. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Address of the whole logs in the payload store; null where there are none. */
  readonly logs: string | null;
  readonly by: By;
  readonly at: string;
  readonly opened_at: string;
  /** All that follows from it was done. */
  readonly settled: boolean;
  readonly after: string | null;
  /** A call has returned it; missing where that was not noted yet. */
  readonly returned?: boolean | undefined;
}

/** A text that may be left empty, as YAML's nothing too. */
export const OptionalText = z
  .string()
  .nullable()
  .transform((text) => text ?? "");

/** The schema of a gate's file with these fields of its own. */
export function gateSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ done: z.literal(true), ...shape, thoughts: OptionalText });
}

/** What a person says in free text: one part below the other, those that are empty left out. */
export function joinParagraphs(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
}
