/** What `--help` prints, made of the table. */
import type { EnvoyCommand, Input } from "./command.ts";

/** `envoy plan read-prompt <prompt_num> [<variant>]`. */
export function usageOf({ name, inputs }: EnvoyCommand): string {
  return ["envoy", name, ...inputs.map(shape)].join(" ");
}

export function listOf(commands: readonly EnvoyCommand[]): string {
  return commands.map((command) => `  ${usageOf(command)}\n      ${command.summary}`).join("\n");
}

/** One command with all that it takes. */
export function helpOf(command: EnvoyCommand): string {
  const lines = command.inputs.map((input) => `  ${typed(input)}  ${input.about}${also(input)}`);
  return [
    `usage: ${usageOf(command)}`,
    "",
    command.summary,
    ...(lines.length > 0 ? ["", ...lines] : []),
  ].join("\n");
}

function shape(input: Input): string {
  return input.required ? typed(input) : `[${typed(input)}]`;
}

function typed({ name, place, takes, short }: Input): string {
  if (place === "argument") return `<${name}>`;
  const option = short === undefined ? `--${name}` : `-${short}|--${name}`;
  switch (takes.type) {
    case "flag":
      return option;
    case "text":
      return `${option} TEXT`;
    case "list":
      return `${option} a${takes.separator}b`;
    case "word":
      return `${option} ${name.toUpperCase().replaceAll("-", "_")}`;
  }
}

function also({ takes }: Input): string {
  if (takes.type === "text") return " (TEXT, @FILE, - for stdin, @@ for a literal @)";
  return takes.type === "list" ? " (repeated: each is one item)" : "";
}
