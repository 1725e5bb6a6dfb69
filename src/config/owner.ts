import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * The process that holds a run. The start time distinguishes it from a later process with the same id. Linux has it in /proc;
 * elsewhere it is unknown and only the id counts.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

/** Where this process runs: processes of two places with another start or namespace cannot see each other. */
export interface HostIdentity {
  readonly name: string;
  /** Changes with each start of the machine; empty where /proc does not tell it. */
  readonly boot: string;
  /** The namespace of process ids: that of a container; empty where /proc does not tell it. */
  readonly processes: string;
}

export function currentHost(): HostIdentity {
  const read = (look: () => string): string => {
    try {
      return look();
    } catch {
      return ""; // no /proc
    }
  };
  return {
    name: hostname().replace(/\s+/gu, "-"),
    boot: read(bootId),
    processes: read(() => readlinkSync("/proc/self/ns/pid")),
  };
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
    return { started: `${bootId()}/${ticks}`, ended: state === "Z" || state === "X" };
  } catch {
    return null; // no /proc, or the process has ended
  }
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
