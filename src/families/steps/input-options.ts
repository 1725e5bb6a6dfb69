/** Parses `--input NAME=VALUE` by the type that the protocol declares; each name may be given once. */
import { AppError } from "../../lib/errors.ts";
import type { StepsProtocol } from "../../protocol/steps/merge.ts";

export function readInputOptions(
  protocol: StepsProtocol,
  pairs: readonly string[],
): Readonly<Record<string, unknown>> {
  const given = pairs.map((pair) => readInput(protocol, pair));
  const twice = given.find(([name], index) => given.findIndex((one) => one[0] === name) !== index);
  if (twice !== undefined)
    throw new AppError("usage", `--input ${twice[0]} is given twice`, { hint: "leave one of the two out" });
  return Object.fromEntries(given);
}

/** A value of the wrong type is refused later, with the other inputs. */
function readInput({ name, inputs }: StepsProtocol, pair: string): readonly [string, unknown] {
  const [, key = "", text = ""] = /^([a-z_]+)=([\s\S]*)$/u.exec(pair) ?? [];
  if (key === "")
    throw new AppError("usage", `--input takes NAME=VALUE, not ${pair}`, {
      hint: `the inputs of ${name}: ${inputs.map((input) => input.name).join(", ")}`,
    });
  switch (inputs.find((input) => input.name === key)?.type) {
    case "integer":
      return [key, /^-?[0-9]+$/u.test(text) ? Number(text) : text];
    case "array":
      return [key, readJson(text)];
    default:
      return [key, text];
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // not JSON: the check of the inputs refuses it
  }
}
