/** The syntax of commands and inputs for help. */
import type { Input, CommandTable, CommandRow } from "./row.ts";

/** `envoy plan read-prompt <prompt_num> [<variant>]`. */
export function usageOf({ name: program, readers }: CommandTable, { name, inputs }: CommandRow): string {
  const isWhole = readers === "agents";
  const shown = inputs.filter(({ place, required }) => isWhole || place === "argument" || required);
  return [program, name, ...(isWhole ? [] : ["[options]"]), ...shown.map(shape)].join(" ");
}

function shape(input: Input): string {
  return input.required ? syntaxOf(input) : `[${syntaxOf(input)}]`;
}

/** `<run>`, `-n|--number NUMBER`, `--agent AGENT...`. */
export function syntaxOf({ name, place, takes, short, value }: Input): string {
  const more = takes.type === "words" ? "..." : "";
  if (place === "argument") return `<${name}>${more}`;
  const option = short === undefined ? `--${name}` : `-${short}|--${name}`;
  switch (takes.type) {
    case "flag":
      return option;
    case "text":
      return `${option} TEXT`;
    case "list":
      return `${option} a${takes.separator}b`;
    case "word":
    case "words":
      return `${option} ${value ?? name.toUpperCase().replaceAll("-", "_")}${more}`;
  }
}

/** A note about the input's type or default. */
export function typeNote({ takes, default: usual }: Input): string {
  if (usual !== undefined) return ` (default: ${usual})`;
  if (takes.type === "text") return " (TEXT, @FILE, - for stdin, @@ for a literal @)";
  return takes.type === "list" ? " (repeated: each is one item)" : "";
}
