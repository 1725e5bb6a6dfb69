/** A command of `mettle`: a row in `table/`, and a file that exports `run`. */
import type { Given } from "../lib/command-line/given.ts";
import type { Program, Row } from "../lib/command-line/row.ts";

export interface Io {
  readonly cwd: string;
  /** Written while the command works: stdout for people, stderr with --json. */
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** A person sits at a terminal that can be asked. */
  readonly interactive: boolean;
  /** Lines may be drawn over: stdout is a terminal and nobody asked for plain text. */
  readonly live: boolean;
  /** Writes without a line break. */
  readonly draw: (text: string) => void;
  /** Width of the terminal. */
  readonly columns: number;
  /** Its height. */
  readonly rows: number;
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** What Ctrl-C does, for whoever reads the keyboard itself. */
  readonly interrupt: () => void;
}

export interface CliResult {
  /** 0 yes, 1 no, 2 usage, 3 waiting, 4 escalated, 5 environment or inconclusive, 130 interrupted (design 8). */
  readonly exit: number;
  /** Without the version, which main adds. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Printed after everything said before; may be empty. */
  readonly text: string;
  /** The text is data for a program: only a terminal gets it without what a terminal obeys. */
  readonly isData?: true;
  /** What stopped it, where it has more to say than that; printed like every error. */
  readonly error?: SaidError;
}

export interface SaidError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly detail?: unknown;
}

/** @param program all commands, for the one that prints them */
export type Run = (io: Io, given: Given, program: Program) => Promise<CliResult>;

export interface MettleCommand extends Row {
  /** Loaded only when it is called. */
  readonly load: () => Promise<{ readonly run: Run } | WholeProgram>;
}

/** A program under another name: it reads its own line, prints its own answer and gives the exit code. */
export interface WholeProgram {
  readonly whole: (argv: readonly string[]) => Promise<number>;
}
