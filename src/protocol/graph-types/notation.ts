/** How the graph's specification writes types, and what that is in JSON: `Text`, `Int`, `FilePath`, `Maybe`, pairs. */
import { z } from "zod";

export const Text = z.string();

export const Int = z.int().min(0);

/** Relative to the repository. Whether it may be used there is told by `src/gates/node/node-paths.ts`. */
export const FilePath = z
  .string()
  .regex(/^(?![/\\]|[A-Za-z]:[/\\])[\s\S]+$/, "expected a path relative to the repository");

/** `(Text, Text)` */
export const Pair = z.tuple([Text, Text]);

/** `Maybe T`: absent, null, or T. */
export function maybe<T extends z.ZodType>(type: T): z.ZodOptional<z.ZodNullable<T>> {
  return type.nullish();
}
