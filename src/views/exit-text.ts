import type { EvidenceRecord } from "../evidence/record.ts";

/** Numbers of the signals that end processes; the same on Linux and macOS but for those left out. */
const signals: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** How a process ended, as the EXECUTION_BLOCK says it: `1`, `137 (SIGKILL)`, `137 (SIGKILL, timed out)`. Pure. */
export function exitText({
  exitCode,
  signal,
  timedOut,
}: Pick<EvidenceRecord, "exitCode" | "signal" | "timedOut">): string {
  const number = signal === null ? undefined : signals[signal];
  const code = exitCode ?? (number === undefined ? "none" : 128 + number);
  const notes = [signal, timedOut ? "timed out" : null].filter((note) => note !== null);
  return notes.length === 0 ? String(code) : `${code} (${notes.join(", ")})`;
}
