/** What stands after `envoy protocol`. */
import { AppError } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";

export interface ProtocolLine {
  readonly name: string;
  readonly json: boolean;
  readonly inputs: string | null;
}

export function readProtocolLine(words: readonly string[]): ProtocolLine {
  let name: string | null = null;
  let json = false;
  let inputs: string | null = null;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--json") json = true;
    else if (word.startsWith("--inputs=")) inputs = word.slice("--inputs=".length);
    else if (word === "--inputs") {
      const value = words[++index];
      if (value === undefined) throw usage("--inputs takes a JSON object");
      inputs = value;
    } else if (word.startsWith("-")) throw unknownOption(word);
    else if (name === null) name = word;
    else throw usage(`protocol takes one name, and ${word} is one more`);
  }
  if (name === null) throw usage("the protocol's name is missing");
  return { name, json, inputs };
}

function unknownOption(word: string): AppError {
  const near = nearest(word, ["--json", "--inputs", "--help"]);
  return usage(`unknown option '${word}'`, near === null ? undefined : `did you mean ${near}?`);
}

function usage(message: string, hint = "envoy protocol <name> [--json] [--inputs JSON]"): AppError {
  return new AppError("usage", message, { hint });
}
