/** Runs an agent's program for one turn: bounded in time and memory, its whole process tree ended (CORE-52, CORE-53). */
import { run } from "../process/run.ts";
import type { AgentSpec } from "./agent.ts";
import { readLines, type Line } from "./stream.ts";

export interface Program {
  /** Absolute path, or a name that is looked up on the PATH of `env`. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Written to its standard input, which is then closed. */
  readonly input: string;
  readonly onLine: (line: Line) => void;
}

export type Ended =
  | { readonly type: "missing" | "aborted" | "timeout"; readonly why: string }
  | {
      readonly type: "exited";
      /** Null when a signal ended it. */
      readonly code: number | null;
      /** `exit code 3`, `SIGKILL`, with the last words of its standard error. */
      readonly why: string;
    };

type Place = Pick<AgentSpec, "cwd" | "wallMs" | "idleMs">;

/** Never rejects for what the program did. */
export async function runProgram(program: Program, place: Place, signal: AbortSignal): Promise<Ended> {
  const lines = readLines(program.onLine);
  const ran = await run(program.file, program.argv, {
    cwd: place.cwd,
    env: program.env,
    input: program.input,
    timeoutMs: place.wallMs,
    idleMs: place.idleMs,
    keepBytes: 64 << 10,
    signal,
    onStdout: (chunk) => lines.push(chunk),
  });
  lines.end();
  if (ran.failedToStart !== null) return { type: "missing", why: ran.failedToStart };
  if (ran.aborted) return { type: "aborted", why: "stopped by Mettle" };
  if (ran.timedOut) return { type: "timeout", why: "no end before the deadline" };
  const how = ran.signal ?? `exit code ${ran.exitCode}`;
  const words = lastWords(ran.stderr);
  return { type: "exited", code: ran.exitCode, why: words === "" ? how : `${how}: ${words}` };
}

/** The last line of standard error that says anything. */
function lastWords(stderr: Buffer): string {
  const line = stderr
    .toString("utf8")
    .split("\n")
    .findLast((text) => text.trim() !== "");
  return (line ?? "").trim().slice(0, 500);
}
