/** The JSON Schema of protocol files, for editors. */
import * as z from "zod";
import { MachineFile } from "./schema.ts";
import { StepsFile } from "./steps-schema.ts";

/** Draft 2020-12, of machine and of steps files. In a machine file `null` is allowed where an extension may remove. */
export function protocolJsonSchema(): object {
  return z.toJSONSchema(z.union([MachineFile, StepsFile]), {
    io: "input",
    override: ({ jsonSchema, path }) => {
      const ofSteps = path[0] === "anyOf" && path[1] === 1;
      const isValue = path.at(-2) === "properties" || path.at(-1) === "additionalProperties";
      if (!ofSteps && isValue && !always.includes(String(path.at(-1)))) allowNull(jsonSchema);
    },
  });
}

const always = ["version", "protocol", "kind"];

function allowNull(schema: z.core.JSONSchema.BaseSchema): void {
  if (typeof schema.type === "string") Object.assign(schema, { type: [schema.type, "null"] });
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  const isNull = (option: z.core.JSONSchema.BaseSchema) => option.type === "null";
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(isNull))
    schema.anyOf = [...schema.anyOf, { type: "null" }];
}
