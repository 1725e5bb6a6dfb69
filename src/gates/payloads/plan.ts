/** The payload of Ω₃ᴾ: the test-driven cycles, one method each (TDP-16). */
import * as z from "zod";

const Path = z
  .string()
  .trim()
  .min(1)
  .refine((path) => !path.startsWith("/") && !path.split("/").includes(".."), "a path inside the repository");

export const PlannedCycle = z.object({
  /** `Interface.method()`, as σ₅ shows it. */
  method: z.string().trim().min(1),
  task: z.string().trim().min(1),
  /** Test files that the cycle may write. */
  tests: z.array(Path).min(1, "a cycle names at least one test path"),
  criteria: z
    .array(
      z.object({
        id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, "an id has letters, digits, - _ and ."),
        text: z.string().trim().min(1),
      }),
    )
    .min(1, "a cycle has at least one criterion"),
  /** Source files that the cycle creates or changes; a missing one is stubbed for RED (TDP-33). */
  files: z.array(Path),
});
export type PlannedCycle = z.infer<typeof PlannedCycle>;

export const PlanPayload = z.object({
  cycles: z
    .array(PlannedCycle)
    .min(1, "a plan has at least one cycle")
    .refine(
      (cycles) => new Set(cycles.map(({ method }) => method)).size === cycles.length,
      "two cycles have one method",
    ),
});
export type PlanPayload = z.infer<typeof PlanPayload>;
