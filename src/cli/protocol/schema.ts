/** `mettle protocol schema`: the JSON Schema of protocol files; with `graph` that of the graph's types, or of one. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import {
  graphJsonSchema,
  graphTypeJsonSchema,
  graphTypeNames,
} from "../../protocol/graph-types/json-schema.ts";
import { protocolJsonSchema } from "../../protocol/json-schema.ts";
import type { CliCommand } from "../command.ts";

export const schema: CliCommand["run"] = async (_io, [name, type]) => {
  const chosen = schemaOf(name, type);
  return { exit: 0, json: { schema: chosen }, text: JSON.stringify(chosen, null, 2) };
};

function schemaOf(name: string | undefined, type: string | undefined): object {
  if (name === undefined) return protocolJsonSchema();
  if (name !== "graph")
    throw new AppError("usage", `${name} has no types of its own`, {
      hint: "`mettle protocol schema` is that of all protocol files, `mettle protocol schema graph` that of the graph's types",
    });
  if (type === undefined) return graphJsonSchema();
  const found = graphTypeJsonSchema(type);
  if (found !== null) return found;
  const near = nearest(type, graphTypeNames);
  const guess = near === null ? "" : `, did you mean ${near}?`;
  throw new AppError("usage", `the graph has no type ${type}${guess}`, {
    hint: `known: ${graphTypeNames.join(", ")}`,
  });
}
