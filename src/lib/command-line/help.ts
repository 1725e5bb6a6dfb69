/** Renders the text of `--help` from the table. */
import { wrapText } from "../wrap-text.ts";
import { isHelpRequested, matchCommand } from "./read-line.ts";
import { isShown, optionsOf, type Input, type CommandTable, type CommandRow } from "./row.ts";
import { typeNote, syntaxOf, usageOf } from "./usage.ts";

export function listOf(program: CommandTable, rows = program.rows): string {
  return rows.map((row) => `  ${usageOf(program, row)}\n      ${row.summary}`).join("\n");
}

/** Each command and each group of commands with its summary. */
export function namesOf({ rows, groups }: CommandTable): readonly (readonly [name: string, about: string])[] {
  const names = rows.map(({ name, summary }): readonly [string, string] => {
    const [first = name] = name.split(" ");
    return [first, groups[first] ?? summary];
  });
  return [...new Map(names)];
}

/** Renders two columns. @param columns width of the terminal */
export function table(lines: readonly (readonly [string, string])[], columns = Infinity): string {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines
    .flatMap(([left, right]) =>
      wrapText(right, Math.max(24, columns - width - 4)).map(
        (part, at) => `  ${(at === 0 ? left : "").padEnd(width)}  ${part}`,
      ),
    )
    .join("\n");
}

/** The help of one command. */
export function helpOf(program: CommandTable, row: CommandRow, columns?: number): string {
  const parts = (title: string, inputs: readonly Input[]): readonly string[] =>
    inputs.length === 0 ? [] : ["", title, describe(inputs, columns)];
  return [
    `${usageWord(program)}: ${usageOf(program, row)}`,
    "",
    row.summary,
    ...parts(
      "Arguments:",
      row.inputs.filter(({ place }) => place === "argument"),
    ),
    ...parts("Options:", optionsOf(program, row)),
  ].join("\n");
}

export function describe(inputs: readonly Input[], columns?: number): string {
  return table(
    inputs.filter(isShown).map((input) => [syntaxOf(input), `${input.about}${typeNote(input)}`]),
    columns,
  );
}

/** The help of the line's command or group; null if the line does not request help. */
export function requestedHelp(
  program: CommandTable,
  argv: readonly string[],
  columns?: number,
): string | null {
  const place = matchCommand(program, argv);
  const { row, group, name } = place;
  if (!isHelpRequested(program, place)) return null;
  if (row !== undefined) return helpOf(program, row, columns);
  const [first = ""] = name.split(" ");
  if (group.length === 0) return null;
  const head = `${usageWord(program)}: ${program.name} ${first} <command> …`;
  return [head, "", program.groups[first] ?? "", "", listOf(program, group)].join("\n");
}

const usageWord = ({ readers }: CommandTable): string => (readers === "people" ? "Usage" : "usage");
