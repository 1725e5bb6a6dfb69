import type { RunResult } from "../process/run.ts";

/** Why a program that tells people failed; null: it did not. */
export function failureOf({ exitCode, failedToStart, timedOut, aborted }: RunResult): string | null {
  if (exitCode === 0) return null;
  if (timedOut || aborted) return "it did not end in time";
  return failedToStart ?? `exit code ${exitCode}`;
}
