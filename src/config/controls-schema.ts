/** The key `proof` of `mettle.yaml`: which controls RED and GREEN run (docs/settings.md). */
import * as z from "zod";

export const ProofControls = z.strictObject({
  /** False assertions in copies of the tests. */
  canary: z.boolean().optional(),
  /** Copies of the tests with other expected values. */
  flip: z.boolean().optional(),
  /** New tests on units that do no work. */
  null_stubs: z.boolean().optional(),
  /** A second run in another place, time zone and order. */
  surrounding: z.boolean().optional(),
  /** Whether solutions that special-case their tests are sought. */
  specialCase: z.boolean().optional(),
});
export type ProofControls = z.infer<typeof ProofControls>;
