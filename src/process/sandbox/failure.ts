import type { RunResult } from "../run.ts";

/** The last line of bubblewrap, if it could not start the program; null: the program started. */
export function bubblewrapError({ exitCode, stdoutBytes, stderr }: RunResult): string | null {
  const line = stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return exitCode === 1 && stdoutBytes === 0 && line.startsWith("bwrap: ") ? line.slice(0, 500) : null;
}
