/** Validates a caller's values against the declared inputs of a steps protocol. */
import { AppError } from "../../lib/errors.ts";
import type { StepsProtocol } from "./merge.ts";
import { isObject, parseJson } from "../../lib/json.ts";

export type StepInputs = readonly (readonly [name: string, value: unknown])[];

/** @param json an object; null counts as absent for an optional input */
export function readInputs({ name, inputs }: StepsProtocol, json: string): StepInputs {
  const values = parseObject(json);
  const hint = `the inputs of ${name}: ${inputs.map((one) => `${one.name} (${one.type}${one.optional ? ", optional" : ""})`).join(", ") || "none"}`;
  const wrong = (message: string): never => {
    throw new AppError("invalid_inputs", message, { hint });
  };
  for (const key of Object.keys(values))
    if (!inputs.some((input) => input.name === key)) wrong(`${name} has no input ${key}`);
  return inputs.flatMap(({ name: key, type, optional }): StepInputs => {
    const value: unknown = Object.hasOwn(values, key) ? Reflect.get(values, key) : undefined;
    if (value === undefined || value === null) return optional ? [] : wrong(`the input ${key} is missing`);
    if (!isOfType(value, type)) wrong(`the input ${key} is no ${type}: ${JSON.stringify(value)}`);
    return [[key, value]];
  });
}

function parseObject(json: string): object {
  const value = parseJson(json);
  if (isObject(value)) return value;
  throw new AppError("invalid_inputs", "--inputs takes one JSON object", {
    hint: `for example --inputs '{"prompt_num": 1, "feature_branch": "feature/x"}'`,
  });
}

function isOfType(value: unknown, type: StepsProtocol["inputs"][number]["type"]): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "string":
      return typeof value === "string";
    case "array":
      return Array.isArray(value);
  }
}
