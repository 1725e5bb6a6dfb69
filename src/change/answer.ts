/** The schema of the answer that `mettle gate` and `mettle prove` print with `--json` (docs/prove.md). */
import * as z from "zod";
import { gateNames } from "./gate-names.ts";
import { Numbers } from "./numbers-schema.ts";

const Verdict = z.enum(["pass", "fail", "inconclusive"]);
/** Files of head that a check or finding is about; `line` from 1, or null. */
const Places = z.array(z.object({ path: z.string(), line: z.number().nullable() }));

export const GateAnswer = z.object({
  gate: z.enum([...gateNames, "prove"]),
  verdict: Verdict,
  /** Full ids; `red` is null if no RED commit was named or found. */
  base: z.string(),
  head: z.string(),
  /** The tree of head. */
  tree: z.string(),
  red: z.string().nullable(),
  /** Name and version of each runner, e.g. `vitest 4.1.2`; null if none ran. */
  runner: z.string().nullable(),
  /** ISO 8601 UTC, of the whole gate with the base's tests. */
  started: z.string(),
  ended: z.string(),
  checks: z.array(
    z.object({
      name: z.string(),
      verdict: Verdict,
      /** The fault and how to fix it; empty for a pass. */
      reason: z.string(),
      /** Ids. */
      tests: z.array(z.string()),
      places: Places,
    }),
  ),
  findings: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(["block", "finding"]),
      message: z.string(),
      path: z.string().optional(),
      testId: z.string().optional(),
      places: Places,
    }),
  ),
  /** Ids of the required tests, and of those that ran. */
  required: z.array(z.string()),
  observed: z.array(z.string()),
  /** Minimality and quality, or "not measured". They do not affect the verdict. */
  numbers: Numbers,
  /** The gate's record; `--out` writes it. */
  record: z.object({ id: z.string(), hash: z.string() }),
  /** Ids of tests of existing behaviour that mutants had to prove; null for `mettle prove --characterize` without such tests. */
  characterized: z
    .object({ proved: z.array(z.string()), unproved: z.array(z.string()) })
    .nullable()
    .optional(),
  /** Only for `mettle prove`: neither source nor tests changed. */
  nothing_to_prove: z.boolean().optional(),
  /** Results of the base's tests; null if it has none. */
  base_tests: z.object({ tests: z.number(), failing: z.array(z.string()) }).nullable(),
  /** Answered from an earlier execution, at `ended`: nothing has changed since. */
  is_kept: z.literal(true).optional(),
});
export type GateAnswer = z.infer<typeof GateAnswer>;
