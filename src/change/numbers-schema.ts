/** The figures in the answer of a gate. */
import * as z from "zod";

/** A figure, or why there is none: `not measured (…)`. */
const Figure = z.union([z.number(), z.string()]);

export const Numbers = z.object({
  /** Changed lines that no test executed. */
  unexecuted_lines: Figure,
  /** Mutants of the changed lines that no test noticed. */
  surviving_mutants: Figure,
  new_exports: z.number(),
  /** New exports whose name no test contains. */
  new_exports_without_test: z.number(),
  /** Of source, before and after; a branch is a point where the code decides. */
  files_changed: z.number(),
  lines_before: z.number(),
  lines_after: z.number(),
  branches_before: z.number(),
  branches_after: z.number(),
  /** Branches after less those before. */
  complexity_delta: z.number(),
  /** The lint tool that the project configures, or why it did not run. */
  lint: z.string(),
  /** Its findings in the changed source. */
  lint_before: z.number().optional(),
  lint_after: z.number().optional(),
  lint_delta: Figure,
});
export type Numbers = z.infer<typeof Numbers>;
