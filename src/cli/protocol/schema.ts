/** `mettle protocol schema`: prints the JSON Schema of protocol files; with `graph` that of the graph's types, or of one type. */
import { AppError } from "../../lib/errors.ts";
import { nearest } from "../../lib/nearest.ts";
import {
  graphJsonSchema,
  graphTypeJsonSchema,
  graphTypeNames,
} from "../../protocol/graph-types/json-schema.ts";
import { protocolJsonSchema } from "../../protocol/json-schema.ts";
import type { CommandHandler } from "../command.ts";

export const run: CommandHandler = async (_io, given) => {
  const chosen = schemaOf(given.text("name"), given.text("type"));
  return { exit: 0, json: { schema: chosen }, text: JSON.stringify(chosen, null, 2) };
};

function schemaOf(name: string | null, type: string | null): object {
  if (name === null) return protocolJsonSchema();
  if (name !== "graph")
    throw new AppError("usage", `${name} has no types`, {
      hint: "`mettle protocol schema` is that of all protocol files, `mettle protocol schema graph` that of the graph's types",
    });
  if (type === null) return graphJsonSchema();
  const found = graphTypeJsonSchema(type);
  if (found !== null) return found;
  const near = nearest(type, graphTypeNames);
  const guess = near === null ? "" : `, did you mean ${near}?`;
  throw new AppError("usage", `the graph has no type ${type}${guess}`, {
    hint: `known: ${graphTypeNames.join(", ")}`,
  });
}
