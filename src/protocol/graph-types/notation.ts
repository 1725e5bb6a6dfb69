/** The type notation of the graph's specification in JSON: `Text`, `Int`, `FilePath`, `Maybe`, pairs. */
import * as z from "zod";

export const Text = z.string();

export const Int = z.int().min(0);

/** Relative to the repository. `src/gates/node/node-paths.ts` checks whether it is allowed there. */
export const FilePath = z
  .string()
  .regex(/^(?![/\\]|[A-Za-z]:[/\\])[\s\S]+$/, "expected a path relative to the repository");

/** `(Text, Text)` */
export const Pair = z.tuple([Text, Text]);

/** `Maybe T`: absent, null, or T. */
export function maybe<T extends z.ZodType>(type: T): z.ZodOptional<z.ZodNullable<T>> {
  return type.nullish();
}
