/** Executes one parsed line and formats its answer, for a shell and for a tool alike. */
import { environment } from "../config/env.ts";
import { answerVersion, type PrintedError } from "../lib/answer.ts";
import { inputValues } from "../lib/command-line/input-values.ts";
import type { CommandLine } from "../lib/command-line/read-line.ts";
import { jsonLine } from "../lib/printable.ts";
import { AppError, errorCodes } from "../lib/errors.ts";
import type { Data, EnvoyCommand } from "./command.ts";
import { valuesOf, type TextSource } from "./values.ts";
import { readWait } from "./wait.ts";

export interface ExecuteOptions {
  readonly texts?: TextSource;
  /** Maximum wait for a person in milliseconds if the line has no `--wait`. */
  readonly waitMs?: number;
}

export async function execute(
  line: CommandLine<EnvoyCommand>,
  cwd: string,
  options: ExecuteOptions = {},
): Promise<Data> {
  const { run } = await line.row.load();
  const option = (name: string) => line.words[name]?.[0] ?? null;
  const waitMs = readWait(option("wait")) ?? options.waitMs ?? null;
  return run({
    given: inputValues(await valuesOf(line, cwd, options.texts)),
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

/** The exit code of an error; codes of the channel count as faults of the environment (5). */
export function exitOf(code: string): number {
  return Object.entries(errorCodes).find(([known]) => known === code)?.[1] ?? 5;
}

/**
 * `code` and `hint` repeat `type` and `suggestion` under the names that all `mettle` commands use.
 * @param command the command as far as it was typed
 */
export function errorLine({ code, message, hint, detail }: PrintedError, command: string): string {
  const fields = { type: code, code, message, command, suggestion: hint, hint };
  const error = detail === undefined ? fields : { ...fields, detail };
  return jsonLine({ version: answerVersion, status: "error", error });
}

export function appError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError("internal", message, { hint: "this is a bug in Mettle", cause: thrown });
}

/** The answer of a command: plain text, or the data of a JSON object. */
export type EnvoyAnswer = { readonly text: string } | { readonly data: Data };
