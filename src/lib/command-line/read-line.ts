/** Parses a command line by the table: the command, its values, and errors. */
import { parseArgs } from "node:util";
import { AppError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { isShown, optionsOf, type Input, type CommandTable, type CommandRow } from "./row.ts";
import { usageOf } from "./usage.ts";

export interface CommandLine<R extends CommandRow = CommandRow> {
  readonly row: R;
  /** Raw values: lists are not split, files not read. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly flags: ReadonlySet<string>;
}

export interface CommandMatch<R extends CommandRow = CommandRow> {
  /** Undefined if the line names no command. */
  readonly row: R | undefined;
  /** The commands with the same first word. */
  readonly group: readonly R[];
  /** The typed name of the command. */
  readonly name: string;
  /** All other words. */
  readonly words: readonly string[];
}

/** Finds the command of a line. */
export function matchCommand<R extends CommandRow>(
  { rows, everywhere }: CommandTable<R>,
  argv: readonly string[],
): CommandMatch<R> {
  const from = skipOptions(argv, 0, everywhere);
  const first = argv[from] ?? "";
  const group = rows.filter(({ name }) => name.startsWith(`${first} `));
  const to = skipOptions(argv, from + 1, [...everywhere, ...group.flatMap(({ inputs }) => inputs)]);
  const second = group.length === 0 ? "" : (argv[to] ?? "");
  const row =
    rows.find(({ name }) => name === `${first} ${second}`) ?? rows.find(({ name }) => name === first);
  const isBoth = row === undefined ? second !== "" && !second.startsWith("-") : row.name !== first;
  const rest = isBoth ? [...argv.slice(from + 1, to), ...argv.slice(to + 1)] : argv.slice(from + 1);
  return {
    row,
    group,
    name: isBoth ? `${first} ${second}` : first,
    words: [...argv.slice(0, from), ...rest],
  };
}

/** Index of the first word that is neither an option nor its value. */
function skipOptions(argv: readonly string[], start: number, known: readonly Input[]): number {
  for (let at = start; ;) {
    const [word = "", value] = argv[at]?.split("=") ?? [];
    const option = known.find(
      ({ name, place, short = name }) => place === "option" && (word === `--${name}` || word === `-${short}`),
    );
    if (option === undefined) return at;
    at += option.takes.type === "flag" || value !== undefined ? 1 : 2;
  }
}

/** Whether `--help` is given; as the last word it counts even after an option that takes a value. */
export function isHelpRequested(program: CommandTable, { row, words }: CommandMatch): boolean {
  const tokens = tokensOf(words, optionsOf(program, row));
  const isLast = /^(?:--help|-h)$/u.test(words.at(-1) ?? "");
  return (
    tokens.some((token) => token.kind === "option" && token.name === "help") ||
    (isLast && tokens.every(({ kind }) => kind !== "option-terminator"))
  );
}

/** @throws usage with the nearest name */
export function readLine<R extends CommandRow>(
  program: CommandTable<R>,
  argv: readonly string[],
): CommandLine<R> {
  const place = matchCommand(program, argv);
  const { row, words } = place;
  if (row === undefined) throw unknownCommand(program, place);
  const known = optionsOf(program, row);
  const places = row.inputs.filter((input) => input.place === "argument");
  const read: Record<string, string[]> = {};
  const flags = new Set<string>();
  let argumentIndex = 0;
  let open: Input | undefined; // an option that takes all words up to the next option
  for (const token of tokensOf(words, known)) {
    const typed = words[token.index] ?? "";
    if (token.kind === "positional" || isNegativeNumber(typed)) {
      const input = open ?? places[argumentIndex];
      if (input === undefined) throw usage(program, row, `${JSON.stringify(typed)} is one argument too many`);
      if (input.takes.type !== "words") argumentIndex++;
      (read[input.name] ??= []).push(typed);
      continue;
    }
    open = undefined;
    if (token.kind === "option-terminator") continue;
    const input = known.find(({ name }) => name === token.name);
    if (input === undefined) throw unknownOption(program, row, typed);
    if (input.takes.type === "flag") {
      if (token.value !== undefined) throw usage(program, row, `--${input.name} takes no value`);
      flags.add(input.name);
      continue;
    }
    if (token.value === undefined) throw usage(program, row, `${token.rawName} takes a value`);
    const isShort = !token.rawName.startsWith("--");
    (read[input.name] ??= []).push(isShort ? token.value.replace(/^=/u, "") : token.value);
    if (input.takes.type === "words" && !token.inlineValue) open = input;
  }
  const line = { row, words: read, flags };
  requireInputs(program, line);
  return line;
}

/** Tokenizes by `parseArgs`, which treats `-12` as two options; here it is one argument. */
function tokensOf(words: readonly string[], known: readonly Input[]) {
  const options = known.map(
    ({ name, short, takes }) =>
      [name, { type: takes.type === "flag" ? "boolean" : "string", ...(short && { short }) }] as const,
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  return tokens.filter(({ index }, at) => !isNegativeNumber(words[index]) || tokens[at - 1]?.index !== index);
}

function isNegativeNumber(word = ""): boolean {
  return /^-(?:\d+|\d*\.\d+)$/u.test(word);
}

/** Checks required inputs and allowed values, and for agents that a single value is not repeated. */
export function requireInputs(program: CommandTable, { row, words }: CommandLine): void {
  for (const { name, place, required, takes, oneOf } of [...row.inputs, ...program.everywhere]) {
    const found = words[name] ?? [];
    const shown = place === "argument" ? `<${name}>` : `--${name}`;
    if (required && found.length === 0)
      throw usage(program, row, `${shown} is missing`, usageOf(program, row));
    const isOne = takes.type !== "list" && takes.type !== "words";
    if (found.length > 1 && isOne && program.readers === "agents")
      throw usage(program, row, `${shown} is given twice`);
    const wrong = oneOf && found.find((value) => !oneOf.includes(value));
    if (oneOf === undefined || wrong === undefined) continue;
    const near = nearest(wrong, oneOf);
    const guess = near === null ? undefined : `did you mean ${near}?`;
    throw usage(program, row, `${shown} is one of ${oneOf.join(", ")}, not ${wrong}`, guess);
  }
}

export function unknownCommand(program: CommandTable, { name, group, words: more }: CommandMatch): AppError {
  const [first = "", second] = name.split(" ");
  const [typed = ""] = more;
  if (group.length > 0 && second === undefined && typed.startsWith("-"))
    return unknownOption(program, { name: first, summary: "", inputs: [] }, typed);
  const inGroup = group.map((row) => row.name.slice(first.length + 1));
  const words = [...new Set(program.rows.map((row) => row.name.split(" ")[0] ?? "")), "--help", "--version"];
  const message =
    group.length > 0 && second === undefined
      ? `${program.name} ${first} takes a command: ${inGroup.join(", ")}`
      : `there is no command ${name}`;
  const near = group.length > 0 ? nearest(second ?? "", inGroup) : nearest(first, words);
  const guess = group.length > 0 ? `${first} ${near ?? ""}` : near;
  // The protocol may be newer than this version, or custom.
  const stop =
    program.readers === "agents"
      ? "; where a step names another one, stop there and say so, and never answer for a person"
      : "";
  const hint =
    near === null
      ? `\`${program.name} ${group.length > 0 ? `${first} ` : ""}--help\` lists the commands${stop}`
      : `did you mean \`${program.name} ${guess ?? ""}\`?`;
  return new AppError("usage", message, { hint });
}

function unknownOption(program: CommandTable, row: CommandRow, typed: string): AppError {
  const names = optionsOf(program, row)
    .filter(isShown)
    .map(({ name }) => `--${name}`);
  const near = nearest(typed.split("=")[0] ?? "", names);
  const more = program.readers === "people" ? ` ${seeHelp(program, row)} lists the options` : "";
  const guess = near === null ? undefined : `did you mean ${near}?${more}`;
  return usage(program, row, `unknown option '${typed}'`, guess);
}

export function usage(program: CommandTable, row: CommandRow, message: string, hint?: string): AppError {
  const usual = program.readers === "people" ? seeHelp(program, row) : usageOf(program, row);
  return new AppError("usage", message, { hint: hint ?? usual });
}

function seeHelp(program: CommandTable, { name }: CommandRow): string {
  return `\`${program.name} ${name} --help\``;
}
