/** The key `proof` of `mettle.yaml`: which controls GREEN runs (docs/settings.md). */
import * as z from "zod";

export const ProofControls = z.strictObject({
  /** False assertions in copies of the tests. */
  canary: z.boolean().optional(),
  /** Copies of the tests with other expected values. */
  flip: z.boolean().optional(),
});
export type ProofControls = z.infer<typeof ProofControls>;
