/**
 * The schema of a `kind: steps` file: numbered instructions for an agent. `6` is a step, `6.10` the tenth step inserted
 * after it, `6+` text appended to the base's step 6. steps/ merges and prints them.
 */
import * as z from "zod";
import { ProtocolName } from "./schema.ts";

const StepKey = z
  .string()
  .regex(/^(0\.[1-9][0-9]*|[1-9][0-9]*)(\.[1-9][0-9]*)*\+?$/, "a step number such as 6, 6.10 or 6+");
const Text = z.string().regex(/\S/, "a step has a text");

const Input = z.strictObject({
  name: z.string().min(1),
  type: z.enum(["integer", "string", "array"]),
  optional: z.boolean(),
  description: z.string(),
});
const Output = z.strictObject({ value: z.string(), description: z.string() });

export const StepsFile = z.strictObject({
  kind: z.literal("steps").optional(),
  name: ProtocolName,
  description: z.string(),
  extends: ProtocolName.nullable().optional(),
  inputs: z.array(Input).nullable().optional(),
  outputs: z.array(Output).nullable().optional(),
  steps: z.record(StepKey, Text),
});
export type StepsFile = z.infer<typeof StepsFile>;
