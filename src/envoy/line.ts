/** Reads a line of Envoy by the table: which command, which values, and the options that every command takes. */
import { AppError } from "../lib/errors.ts";
import { nearest } from "../lib/nearest.ts";
import type { EnvoyCommand, Input } from "./command.ts";
import { usageOf } from "./help.ts";

export interface Line {
  readonly command: EnvoyCommand;
  /** As written: lists not split, texts not read. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
}

/** Of every command; they may stand anywhere in the line. */
export const everywhere: readonly Input[] = [
  ["agent", "who calls, for the record"] as const,
  ["feature-branch", "whose plan is meant; the current branch's where it is not given"] as const,
  ["wait", "seconds to wait for a person, at most 540"] as const,
].map(([name, about]) => ({ name, about, place: "option", required: false, takes: { type: "word" } }));

/** @param argv begins with the words of a command, or with options of every command */
export function readLine(argv: readonly string[], table: readonly EnvoyCommand[]): Line {
  const { rest, words: leading } = leadingOptions(argv);
  const command = find(rest, table);
  const reader = { words: { ...leading } as Record<string, string[]>, flags: new Set<string>() };
  const inputs = [...command.inputs, ...everywhere];
  const places = command.inputs.filter(({ place }) => place === "argument");
  let taken = 0;
  const line = rest.slice(command.name.split(" ").length);
  let plain = false; // after `--` nothing is an option
  for (let index = 0; index < line.length; index++) {
    const said = line[index] ?? "";
    if (said === "--" && !plain) {
      plain = true;
      continue;
    }
    if (plain || !said.startsWith("-") || said === "-") {
      const input = places[taken++];
      if (input === undefined) throw usage(command, `${JSON.stringify(said)} is one argument too many`);
      (reader.words[input.name] ??= []).push(said);
      continue;
    }
    if (said === "--json") continue; // it always is
    index += takeOption(command, inputs, line, index, reader);
  }
  requireInputs({ command, ...reader });
  return { command, ...reader };
}

/** What is required is there, and nothing twice that can be given once. */
export function requireInputs({ command, words }: Line): void {
  for (const { name, place, required, takes } of [...command.inputs, ...everywhere]) {
    const found = words[name]?.length ?? 0;
    const shown = place === "argument" ? `<${name}>` : `--${name}`;
    if (required && found === 0) throw usage(command, `${shown} is missing`);
    if (found > 1 && takes.type !== "list") throw usage(command, `${shown} is given twice`);
  }
}

function leadingOptions(argv: readonly string[]) {
  const words: Record<string, string[]> = {};
  let index = 0;
  for (; argv[index]?.startsWith("--") === true; index++) {
    const said = argv[index] ?? "";
    if (said === "--json") continue;
    const { name, value } = split(said);
    if (!everywhere.some((input) => input.name === name)) break;
    const given = value ?? argv[++index];
    if (given === undefined) throw new AppError("usage", `--${name} takes a value`, { hint: "envoy --help" });
    (words[name] ??= []).push(given);
  }
  return { rest: argv.slice(index), words };
}

function takeOption(
  command: EnvoyCommand,
  inputs: readonly Input[],
  line: readonly string[],
  index: number,
  into: { readonly words: Record<string, string[]>; readonly flags: Set<string> },
): number {
  const { name, value } = split(line[index] ?? "");
  const input = inputs.find((one) => one.place === "option" && (one.name === name || one.short === name));
  if (input === undefined) throw unknownOption(command, inputs, line[index] ?? "");
  if (input.takes.type === "flag") {
    if (value !== null) throw usage(command, `--${input.name} takes no value`);
    into.flags.add(input.name);
    return 0;
  }
  const given = value ?? line[index + 1];
  if (given === undefined) throw usage(command, `--${input.name} takes a value`);
  (into.words[input.name] ??= []).push(given);
  return value === null ? 1 : 0;
}

/** `--name=value`, `--name`, `-n`. */
function split(said: string): { readonly name: string; readonly value: string | null } {
  const at = said.indexOf("=");
  const head = at === -1 ? said : said.slice(0, at);
  return { name: head.replace(/^--?/u, ""), value: at === -1 ? null : said.slice(at + 1) };
}

function find(words: readonly string[], table: readonly EnvoyCommand[]): EnvoyCommand {
  const byLength = table.toSorted((a, b) => b.name.length - a.name.length);
  const found = byLength.find(({ name }) => name === words.slice(0, name.split(" ").length).join(" "));
  if (found !== undefined) return found;
  const said = words.slice(0, 2).filter((word) => !word.startsWith("-"));
  const [group = "", second] = said;
  const inGroup = table.filter(({ name }) => name.startsWith(`${group} `));
  if (inGroup.length > 0) {
    const names = inGroup.map(({ name }) => name.slice(group.length + 1));
    if (second === undefined) throw unknown(`envoy ${group} takes a command: ${names.join(", ")}`, null);
    const near = nearest(second, names);
    throw unknown(`there is no command ${group} ${second}`, near === null ? null : `${group} ${near}`);
  }
  const groups = [...new Set(table.map(({ name }) => name.split(" ")[0] ?? "")), "protocol", "--help"];
  throw unknown(`there is no command ${said.join(" ")}`, nearest(group, [...groups, "--version"]));
}

/** A protocol may be ahead of this version, or a person's own. */
const noSuch =
  "`envoy --help` lists the commands; where a step names another one, stop there and say so, and never answer for a person";

function unknown(message: string, near: string | null): AppError {
  return new AppError("usage", message, {
    hint: near === null ? noSuch : `did you mean \`envoy ${near}\`?`,
  });
}

function unknownOption(command: EnvoyCommand, inputs: readonly Input[], said: string): AppError {
  const names = inputs.filter(({ place }) => place === "option").map(({ name }) => `--${name}`);
  const near = nearest(said, [...names, "--help"]);
  const guess = near === null || near === said ? undefined : `did you mean ${near}?`;
  return usage(command, `unknown option '${said}'`, guess);
}

export function usage(command: EnvoyCommand, message: string, hint = usageOf(command)): AppError {
  return new AppError("usage", message, { hint });
}
