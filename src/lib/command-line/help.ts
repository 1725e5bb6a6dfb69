/** What `--help` prints, made of the table. */
import { wrapped } from "../wrapped.ts";
import { isHelpRequested, locate } from "./line.ts";
import { isShown, optionsOf, type Input, type Program, type Row } from "./row.ts";
import { also, typed, usageOf } from "./usage.ts";

export function listOf(program: Program, rows = program.rows): string {
  return rows.map((row) => `  ${usageOf(program, row)}\n      ${row.summary}`).join("\n");
}

/** Each command, and each group of commands, with its summary. */
export function namesOf({ rows, groups }: Program): readonly (readonly [name: string, about: string])[] {
  const names = rows.map(({ name, summary }): readonly [string, string] => {
    const [first = name] = name.split(" ");
    return [first, groups[first] ?? summary];
  });
  return [...new Map(names)];
}

/** Lines of two columns. @param columns of the terminal */
export function table(lines: readonly (readonly [string, string])[], columns = Infinity): string {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines
    .flatMap(([left, right]) =>
      wrapped(right, Math.max(24, columns - width - 4)).map(
        (part, at) => `  ${(at === 0 ? left : "").padEnd(width)}  ${part}`,
      ),
    )
    .join("\n");
}

/** One command with all that it takes. */
export function helpOf(program: Program, row: Row, columns?: number): string {
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
    inputs.filter(isShown).map((input) => [typed(input), `${input.about}${also(input)}`]),
    columns,
  );
}

/** The help of the command or the group that a line names; null where it asks for none. */
export function requestedHelp(program: Program, argv: readonly string[], columns?: number): string | null {
  const place = locate(program, argv);
  const { row, group, name } = place;
  if (!isHelpRequested(program, place)) return null;
  if (row !== undefined) return helpOf(program, row, columns);
  const [first = ""] = name.split(" ");
  if (group.length === 0) return null;
  const head = `${usageWord(program)}: ${program.name} ${first} <command> …`;
  return [head, "", program.groups[first] ?? "", "", listOf(program, group)].join("\n");
}

const usageWord = ({ readers }: Program): string => (readers === "people" ? "Usage" : "usage");
