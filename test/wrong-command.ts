import { program as mettle } from "../src/cli/table.ts";
import { program as envoy } from "../src/envoy/table.ts";
import { matchCommand } from "../src/lib/command-line/read-line.ts";
import { optionsOf, type CommandTable } from "../src/lib/command-line/row.ts";

const programs: Readonly<Record<string, CommandTable>> = { mettle, envoy };

/**
 * Why a line that a message or a document shows is no command of `mettle` or `envoy`; null if it is one, or starts another
 * program or a placeholder.
 */
export function wrongCommand(line: string): string | null {
  const [name = "", ...words] = line.trim().split(/\s+/u);
  const program = programs[name];
  const isPlaceholder = /^(?:$|X$|…|COMMAND|<command>|\[options\]|--help)/u.test(words[0] ?? "");
  if (program === undefined || isPlaceholder) return null;
  if (name === "mettle" && words[0] === "envoy") return wrongCommand(words.join(" "));
  const { row, group } = matchCommand(program, words);
  if (row === undefined && group.length === 0) return "no such command";
  const known = optionsOf(program, row).map(({ name: option }) => `--${option}`);
  const named = words.flatMap((word) => /^`?(--[a-z][a-z-]*)/u.exec(word)?.[1] ?? []);
  const unknown = named.filter((option) => !known.includes(option));
  return unknown.length === 0 ? null : `no option ${unknown.join(", ")}`;
}
