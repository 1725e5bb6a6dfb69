/** Runs an agent's program for one turn, within time and memory limits, and ends its whole process tree (CORE-52, CORE-53). */
import type { ProgramOptions, Program } from "./program-options.ts";
import { run, type RunResult } from "../process/run.ts";
import { bubblewrapError } from "../process/sandbox/failure.ts";
import { lastLines } from "../lib/text.ts";
import { AppError } from "../lib/errors.ts";
import { confine } from "./confine.ts";
import type { AgentOutcome } from "./agent.ts";
import { readLines } from "./stream.ts";

export type ProgramResult =
  | { readonly type: "missing" | "aborted"; readonly why: string }
  | {
      readonly type: "timeout";
      readonly why: string;
      /** The idle deadline; missing: the wall-clock deadline. */
      readonly silent?: true;
    }
  | {
      readonly type: "exited";
      /** Null: ended by a signal. */
      readonly code: number | null;
      /** `exit code 3` or `SIGKILL`, with the error line of standard error. */
      readonly why: string;
      /** The last lines of standard error. */
      readonly stderr?: string;
    };

/** Why a turn was aborted. */
export const abortReason = "stopped by Mettle";

/**
 * Never rejects because of the program.
 * @throws sandbox_missing if the program must be confined and cannot be (CORE-61)
 */
export async function runProgram(
  program: Program,
  place: ProgramOptions,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const lines = readLines(program.onLine);
  const call = await confine(program, place);
  const result = await run(call.file, call.argv, {
    cwd: place.cwd,
    env: program.env,
    input: program.input,
    timeoutMs: place.wallMs,
    idleMs: place.idleMs,
    keepBytes: 64 << 10,
    signal,
    onStdout: (chunk) => lines.push(chunk),
    ...(program.onOpen === undefined ? {} : { onOpen: program.onOpen }),
    ...(program.busy === undefined ? {} : { busy: program.busy }),
  });
  lines.end();
  if (call !== program) {
    const why = sandboxFailure(result);
    if (why !== null) throw sandboxMissing(why);
    if (isProgramMissing(result)) return { type: "missing", why: lastErrorLine(result.stderr) };
  }
  if (result.failedToStart !== null) return { type: "missing", why: result.failedToStart };
  if (result.aborted) return { type: "aborted", why: abortReason };
  const why = "did not finish before the deadline";
  if (result.timedOut) return { type: "timeout", why, ...(result.idle ? { silent: true as const } : {}) };
  const how = result.signal ?? `exit code ${result.exitCode}`;
  const line = lastErrorLine(result.stderr);
  return {
    type: "exited",
    code: result.exitCode,
    why: line === "" ? how : `${how}: ${line}`,
    stderr: lastLines(result.stderr.toString("utf8"), 40).join("\n"),
  };
}

/** The error of bubblewrap, if the program did not start; null: the sandbox works. */
function sandboxFailure(result: RunResult): string | null {
  if (result.failedToStart !== null) return result.failedToStart;
  return isProgramMissing(result) ? null : bubblewrapError(result);
}

function isProgramMissing(result: RunResult): boolean {
  return bubblewrapError(result)?.startsWith("bwrap: execvp ") === true;
}

export function sandboxMissing(why: string): AppError {
  return new AppError("sandbox_missing", `bubblewrap can no longer confine agents: ${why}`, {
    hint: "this run started confined and stays confined: repair the sandbox (`mettle doctor`), then `mettle resume`",
  });
}

/** Adds the last lines of standard error to a crash. They come first: a decision is in the last line of the text. */
export function withLastLines(outcome: AgentOutcome, ended: ProgramResult): AgentOutcome {
  if (outcome.type !== "crashed" || ended.type !== "exited" || !ended.stderr) return outcome;
  return { ...outcome, text: outcome.text === "" ? ended.stderr : `${ended.stderr}\n${outcome.text}` };
}

/** The last meaningful line of standard error: for a crash the error, not the stack trace below it. */
export function lastErrorLine(stderr: Buffer): string {
  const lines = lastLines(stderr.toString("utf8"), maxLines).filter((text) => text.trim() !== "");
  return (errorIn(lines) ?? lines.at(-1) ?? "").trim().slice(0, 500);
}

const maxLines = 400;

/** The line with the error, which Node, Go and Rust print above their stack traces. */
function errorIn(lines: readonly string[]): string | undefined {
  const last = lines.at(-1) ?? "";
  if (/^Node\.js v\d/u.test(last))
    return lines.findLast((text) => /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b/u.test(text));
  if (/^(?:exit status \d+|\t.*\.go:\d+|created by )/u.test(last))
    return lines.find((text) => /^(?:panic|fatal error): /u.test(text));
  if (!last.startsWith("note: run with `RUST_BACKTRACE")) return undefined;
  const at = lines.findLastIndex((text) => /^thread '.*' (?:\(\d+\) )?panicked at /u.test(text));
  return at === -1 ? undefined : lines.slice(at, at + 2).join(" ");
}
