/** Obeys one line that was read, and the one object that is its answer: the same for a shell and for a tool. */
import { environment } from "../config/env.ts";
import { answerVersion } from "../lib/answer.ts";
import { givenOf } from "../lib/command-line/given.ts";
import type { Line } from "../lib/command-line/line.ts";
import { jsonLine } from "../lib/printed.ts";
import { AppError, errorCodes } from "../lib/errors.ts";
import type { Data, EnvoyCommand } from "./command.ts";
import { valuesOf, type TextSource } from "./values.ts";
import { readWait } from "./wait.ts";

export interface ExecuteOptions {
  readonly texts?: TextSource;
  /** How long a person is waited for where the line does not say it. */
  readonly waitMs?: number;
}

export async function execute(
  line: Line<EnvoyCommand>,
  cwd: string,
  manner: ExecuteOptions = {},
): Promise<Data> {
  const { run } = await line.row.load();
  const option = (name: string) => line.words[name]?.[0] ?? null;
  const waitMs = readWait(option("wait")) ?? manner.waitMs ?? null;
  return run({
    given: givenOf(await valuesOf(line, cwd, manner.texts)),
    cwd,
    path: environment()["PATH"] ?? "",
    agent: option("agent"),
    featureBranch: option("feature-branch"),
    waitMs,
  });
}

export function successLine(data: Data): string {
  return jsonLine({ version: answerVersion, status: "success", data });
}

/** An error that is told; its code may be one of the channel. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly detail?: unknown;
}

/** That the runtime cannot be asked is a fault of the surroundings. */
export function exitOf(code: string): number {
  return Object.entries(errorCodes).find(([known]) => known === code)?.[1] ?? 5;
}

/**
 * `code` and `hint` are the same words under the names that every answer of `mettle` has.
 * @param command as far as it was said
 */
export function errorLine({ code, message, hint, detail }: ErrorReport, command: string): string {
  const told = { type: code, code, message, command, suggestion: hint, hint };
  const error = detail === undefined ? told : { ...told, detail };
  return jsonLine({ version: answerVersion, status: "error", error });
}

export function appError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError("internal", message, { hint: "this is a fault of Mettle", cause: thrown });
}

/** What a command answers: text as it is, or the data of an object. */
export type Answer = { readonly text: string } | { readonly data: Data };
