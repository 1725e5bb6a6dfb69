/** Runs an agent's program for one turn: bounded in time and memory, its whole process tree ended (CORE-52, CORE-53). */
import type { ProgramOptions, Program } from "./program-options.ts";
import { run, type RunResult } from "../process/run.ts";
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
      /** Nothing was heard of it for too long; missing: it worked for too long. */
      readonly silent?: true;
    }
  | {
      readonly type: "exited";
      /** Null when a signal ended it. */
      readonly code: number | null;
      /** `exit code 3`, `SIGKILL`, with the telling words of its standard error. */
      readonly why: string;
      /** The last lines of its standard error. */
      readonly stderr?: string;
    };

/** Why a turn was aborted. */
export const abortReason = "stopped by Mettle";

/** Never rejects for what the program did. Where it is to be confined and cannot be, it is not started (CORE-61). */
export async function runProgram(
  program: Program,
  place: ProgramOptions,
  signal: AbortSignal,
): Promise<ProgramResult> {
  const lines = readLines(program.onLine);
  const call = await confine(program, place);
  const ran = await run(call.file, call.argv, {
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
    const why = sandboxFailure(ran);
    if (why !== null) throw sandboxMissing(why);
    if (isProgramMissing(ran)) return { type: "missing", why: lastErrorLine(ran.stderr) };
  }
  if (ran.failedToStart !== null) return { type: "missing", why: ran.failedToStart };
  if (ran.aborted) return { type: "aborted", why: abortReason };
  const why = "no end before the deadline";
  if (ran.timedOut) return { type: "timeout", why, ...(ran.idle ? { silent: true as const } : {}) };
  const how = ran.signal ?? `exit code ${ran.exitCode}`;
  const words = lastErrorLine(ran.stderr);
  return {
    type: "exited",
    code: ran.exitCode,
    why: words === "" ? how : `${how}: ${words}`,
    stderr: lastLines(ran.stderr.toString("utf8"), 40).join("\n"),
  };
}

/** Bubblewrap's own words, before the program had any. */
function sandboxFailure(ran: RunResult): string | null {
  if (ran.failedToStart !== null) return ran.failedToStart;
  const words = lastErrorLine(ran.stderr);
  const isOwn = ran.exitCode === 1 && ran.stdoutBytes === 0 && words.startsWith("bwrap: ");
  return isOwn && !isProgramMissing(ran) ? words : null;
}

function isProgramMissing(ran: RunResult): boolean {
  return (
    ran.exitCode === 1 && ran.stdoutBytes === 0 && lastErrorLine(ran.stderr).startsWith("bwrap: execvp ")
  );
}

export function sandboxMissing(why: string): AppError {
  return new AppError("sandbox_missing", `bubblewrap confines no agent any more: ${why}`, {
    hint: "this run began confined and goes on so: mend it (`mettle doctor`), then `mettle resume`",
  });
}

/** Of a crash what the program wrote on standard error is kept, before what it said: a decision is in its last line. */
export function withLastLines(outcome: AgentOutcome, ended: ProgramResult): AgentOutcome {
  if (outcome.type !== "crashed" || ended.type !== "exited" || !ended.stderr) return outcome;
  return { ...outcome, text: outcome.text === "" ? ended.stderr : `${ended.stderr}\n${outcome.text}` };
}

/** The last line of standard error that says anything: of a crash the error, not the trace and the version below it. */
export function lastErrorLine(stderr: Buffer): string {
  const lines = lastLines(stderr.toString("utf8"), maxLines).filter((text) => text.trim() !== "");
  return (errorIn(lines) ?? lines.at(-1) ?? "").trim().slice(0, 500);
}

const maxLines = 400;

/** The line that names the error, where the last line does not: Node, Go and Rust print it above their traces and advice. */
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
