/** The key `proof` of `mettle.yaml`: which controls RED and GREEN run (docs/settings.md). */
import * as z from "zod";
import { AppError } from "../lib/errors.ts";
import { DurationOrNothing, milliseconds } from "./durations.ts";
import { variable, type Env } from "./env.ts";

export const ProofControls = z.strictObject({
  /** False assertions in copies of the tests. */
  canary: z.boolean().optional(),
  /** Copies of the tests with other expected values. */
  flip: z.boolean().optional(),
  /** Tests that cannot fail by their assertions, found in their text. */
  can_fail: z.boolean().optional(),
  /** New tests on units that do no work. */
  null_stubs: z.boolean().optional(),
  /** Share of the locked tests of each criterion that no implementer sees. */
  holdout: z.number().min(0, "a share from 0 to 1").max(1, "a share from 0 to 1").optional(),
  /** A second run in another place, time zone and order. */
  surrounding: z.boolean().optional(),
  /** Whether solutions that special-case their tests are sought. */
  specialCase: z.boolean().optional(),
  /** What becomes of a new test whose snapshot is not stored: refused, or its snapshot is taken at GREEN. */
  snapshots: z.enum(["stored", "taken_at_green"]).optional(),
  /** Mutants of changed lines. */
  mutation: z
    .strictObject({
      /** Time for all of them; 0 switches them off. */
      budget: DurationOrNothing.optional(),
    })
    .optional(),
});
export type ProofControls = z.infer<typeof ProofControls>;

export const mutationVariable = "METTLE_MUTATION_BUDGET";

/** The user's variable gives the budget that a project's settings do not name. @throws usage for another value */
export function controlsHere(controls: ProofControls | undefined, env: Env): ProofControls | undefined {
  const value = variable(mutationVariable, env);
  if (value === null || controls?.mutation?.budget !== undefined) return controls;
  const parsed = DurationOrNothing.safeParse(value === "0" ? 0 : value);
  if (!parsed.success)
    throw new AppError("usage", `${mutationVariable} is ${value}`, { hint: "a duration like 30s, or 0" });
  return { ...controls, mutation: { budget: parsed.data } };
}

/** A run has no commit that could hold what GREEN takes, so its tests must store their snapshots. */
export function controlsOfRun(controls: ProofControls = {}): ProofControls {
  return { ...controls, snapshots: "stored" };
}

const usualBudget = "60s";

/** In milliseconds. */
export function mutationBudget(controls: ProofControls | undefined): number {
  const budget = controls?.mutation?.budget ?? usualBudget;
  return budget === 0 ? 0 : milliseconds(budget);
}
