import type { EvidenceRecord } from "../evidence/record.ts";

/** Numbers of signals that end processes; only those with the same number on Linux and macOS. */
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

/** The exit in an EXECUTION_BLOCK: `1`, `137 (SIGKILL)`, `137 (SIGKILL, timed out)`. Pure. */
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
