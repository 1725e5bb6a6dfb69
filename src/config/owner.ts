import { readFileSync } from "node:fs";

/**
 * The process that holds a run. The start time distinguishes it from a later process with the same id. Linux has it in /proc;
 * elsewhere it is unknown and only the id counts.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid)?.started ?? "" };
}

/** Whether this very process is running; a zombie is not. */
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
    // The name in parentheses may contain spaces and parentheses; the fields follow the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const state = fields[0];
    const ticks = fields[19];
    if (state === undefined || ticks === undefined) return null;
    // Ticks count from boot, so the boot id is part of the start time.
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return { started: `${boot}/${ticks}`, ended: state === "Z" || state === "X" };
  } catch {
    return null; // no /proc, or the process has ended
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
