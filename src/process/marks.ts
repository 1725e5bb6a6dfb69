/** Marks that a process inherits: initial environment variables, and a resource limit that it cannot raise. */
import { readFileSync } from "node:fs";
import { hasProc, processEntry, variableOf } from "./proc.ts";

/** This process and its ancestors; only itself without /proc. A detached process has lost its ancestors. */
function lineage(): readonly number[] {
  const pids: number[] = [];
  for (let pid = process.pid; pid > 1 && pids.length < 1_000; pid = processEntry(pid)?.parent ?? 0)
    pids.push(pid);
  return pids;
}

/** Whether this process or an ancestor started with one of the variables. A child can drop a variable, its ancestors keep it. */
export function lineageHasVariable(variables: readonly string[]): boolean {
  if (!hasProc) return false;
  return lineage().some((pid) => variables.some((name) => variableOf(pid, name) !== null));
}

/**
 * Whether all processes with the first variable, from this one upwards to the first without it, have the second one too.
 * True if this process does not have the first one.
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
 * The limit of file locks, which Linux has not used since 2.4. Every descendant inherits a lowered limit, and only root can
 * raise it again. It survives an empty environment, a new session and the end of the parents.
 */
const markedLocks = 1_296_389_204;

/** The argument of `prlimit` that sets the mark. */
export const markArgument = `--locks=${markedLocks}:${markedLocks}`;

/** The limit of this process; null: unreadable. */
export function fileLocks(): number | null {
  if (!hasProc) return null;
  const limits = readLimits();
  const hard = /^Max file locks\s+\S+\s+(\S+)/mu.exec(limits)?.[1];
  return hard === undefined ? null : hard === "unlimited" ? Infinity : Number(hard);
}

export function isMarked(): boolean {
  return fileLocks() === markedLocks;
}

/** Whether this process can set the mark. */
export function canBeMarked(): boolean {
  return (fileLocks() ?? 0) >= markedLocks;
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return ""; // /proc is missing or incomplete
  }
}
