import { readFileSync } from "node:fs";

/**
 * Who holds a run: a process, told from a later one with the same number by its start time.
 * Linux says it in /proc; elsewhere the start time is unknown and the number alone decides.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid)?.started ?? "" };
}

/** Whether exactly this process still runs; one that only waits to be reaped does not. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  const found = startOf(pid);
  if (found === null) return true;
  return !found.ended && (started === "" || found.started === started);
}

interface Start {
  readonly started: string;
  readonly ended: boolean;
}

function startOf(pid: number): Start | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold blanks and parentheses itself; fields 3 and on follow the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const state = fields[0];
    const ticks = fields[19];
    if (state === undefined || ticks === undefined) return null;
    // Ticks count from boot, so the boot belongs to them.
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { started: `${boot}/${ticks}`, ended: state === "Z" || state === "X" };
  } catch {
    return null; // no /proc here, or the process ended in between
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
