/** A command of `mettle`: a row in `table/`, and a file that exports `run`. */
import type { PrintedError } from "../lib/answer.ts";
import type { InputValues } from "../lib/command-line/input-values.ts";
import type { CommandTable, CommandRow } from "../lib/command-line/row.ts";

export interface Io {
  readonly cwd: string;
  /** Prints a line while the command works: to stdout, with --json to stderr. */
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  /** A person at the terminal can answer prompts. */
  readonly interactive: boolean;
  /** The output is a terminal, which has columns. */
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** Lines may be redrawn: stdout is a terminal, without --json, CI and NO_COLOR. */
  readonly live: boolean;
  /** Print every event of a run. */
  readonly verbose: boolean;
  /** Writes without a line break. */
  readonly draw: (text: string) => void;
  /** The same for lines of `screen/paint.ts`, which keep their tones. */
  readonly paint: (text: string) => void;
  /** Width of the terminal. */
  readonly columns: number;
  /** Its height. */
  readonly rows: number;
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** The effect of Ctrl-C, for prompts that read the keyboard themselves. */
  readonly interrupt: () => void;
}

export interface CliResult {
  /** 0 yes, 1 no, 2 usage, 3 waiting, 4 escalated, 5 environment or inconclusive, 130 interrupted. */
  readonly exit: number;
  /** Without the version, which main adds. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Printed last; may be empty. */
  readonly text: string;
  /** The text is data for a program: control sequences are removed only if stdout is a terminal. */
  readonly isData?: true;
  /** The error that stopped the command after it had a result; printed like every error. */
  readonly error?: PrintedError;
}

/** @param program all commands, for the one that prints them */
export type CommandHandler = (io: Io, given: InputValues, program: CommandTable) => Promise<CliResult>;

export interface MettleCommand extends CommandRow {
  /** Loaded only when it is called. */
  readonly load: () => Promise<{ readonly run: CommandHandler } | SeparateProgram>;
}

/** A program that parses its own arguments, prints its own answer and returns the exit code. */
export interface SeparateProgram {
  readonly runProgram: (argv: readonly string[]) => Promise<number>;
}
