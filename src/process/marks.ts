/** What a process has of those above it: variables that it began with, and a limit that it can neither change nor lose. */
import { readFileSync } from "node:fs";
import { hasProc, processEntry, variableOf } from "./proc.ts";

/** From this process upwards; only itself where there is no /proc. A process that left its parents on purpose is not seen. */
function lineage(): readonly number[] {
  const pids: number[] = [];
  for (let pid = process.pid; pid > 1 && pids.length < 1_000; pid = processEntry(pid)?.parent ?? 0)
    pids.push(pid);
  return pids;
}

/** Whether this process, or one above it, began with one of the variables. A child can drop one, its ancestors cannot. */
export function lineageHasVariable(variables: readonly string[]): boolean {
  if (!hasProc) return false;
  return lineage().some((pid) => variables.some((name) => variableOf(pid, name) !== null));
}

/**
 * Whether each process that carries the first variable, from this one up to the first that does not, has the second too.
 * True where this one does not carry it.
 */
export function eachCarrierHas(variable: string, second: string): boolean {
  if (!hasProc) return true;
  for (const pid of lineage()) {
    if (variableOf(pid, variable) === null) return true;
    if (variableOf(pid, second) === null) return false;
  }
  return true;
}

/**
 * The highest number of file locks, which no kernel since Linux 2.4 looks at: a limit that is lowered to it goes on to
 * everything that a program starts, and only an administrator of the machine can raise it again. Neither an empty
 * environment nor a session of its own nor the death of its parents takes it away.
 */
const markedLocks = 1_296_389_204;

/** The argument of `prlimit` that sets the mark. */
export const markArgument = `--locks=${markedLocks}:${markedLocks}`;

/** What the limit allows here; null where it cannot be read. */
export function fileLocks(): number | null {
  if (!hasProc) return null;
  const limits = readLimits();
  const hard = /^Max file locks\s+\S+\s+(\S+)/mu.exec(limits)?.[1];
  return hard === undefined ? null : hard === "unlimited" ? Infinity : Number(hard);
}

export function isMarked(): boolean {
  return fileLocks() === markedLocks;
}

/** Whether the mark can be set by a process like this one. */
export function canBeMarked(): boolean {
  return (fileLocks() ?? 0) >= markedLocks;
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return ""; // no /proc mounted, or not all of it
  }
}
