/** The payload of Ω₁ᴾ: the three parts of σ₂ (RIPER and DPTR, "CC Plan Mode Integration"; TDP-05). */
import * as z from "zod";

/** Appears in dispatch lines and in file names. */
export const ModuleName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_./-]*$/u, "a name of letters, digits, _ . / and -");

export const DesignPayload = z.object({
  architecture_design: z.string().trim().min(1, "the overall architecture is missing"),
  module_specifications: z
    .array(z.object({ name: ModuleName, specification: z.string().trim().min(1) }))
    .min(1, "a design names at least one module")
    .refine(
      (modules) => new Set(modules.map(({ name }) => name)).size === modules.length,
      "a module is named twice",
    ),
  tech_stack: z.string().trim().min(1, "the technology choices are missing"),
});
export type DesignPayload = z.infer<typeof DesignPayload>;
