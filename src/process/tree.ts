import { systemClock } from "../lib/clock.ts";
import { hasProc, livingProcesses, processEntry, variableOf } from "./proc.ts";

/**
 * The process tree of one program, and functions that end it. A process belongs to the tree by its group, session, parent, or
 * the marker in its environment; the marker finds detached processes that have lost their parent.
 */
export interface ProcessTree {
  readonly leader: number;
  readonly marker: string;
  /** Start of the leader in clock ticks: older processes do not belong to the tree. */
  readonly since: number;
}

export const markerVariable = "METTLE_PROCESS";

let outer: string | null = null;

/** A process that `run` started passes its own markers on, so that the outer tree includes the inner one. */
export function newMarker(): { readonly marker: string; readonly value: string } {
  // Unique on this machine until it restarts; loading node:crypto for a random one takes longer than starting git.
  const marker = `${process.pid}-${process.hrtime.bigint()}`;
  outer ??= variableOf("self", markerVariable) ?? "";
  return { marker, value: outer === "" ? marker : `${outer}:${marker}` };
}

export function treeOf(leader: number, marker: string): ProcessTree {
  return { leader, marker, since: processEntry(leader)?.started ?? 0 };
}

/** The running processes of the tree, by one pass over /proc. */
export function living(tree: ProcessTree): number[] {
  if (!hasProc) return groupAlive(tree) ? [-tree.leader] : [];
  const all = livingProcesses().filter((entry) => entry.pid !== process.pid && entry.started >= tree.since);
  const found = new Set<number>();
  for (const entry of all) {
    if (entry.group === tree.leader || entry.session === tree.leader || carries(entry.pid, tree.marker))
      found.add(entry.pid);
  }
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const entry of all) if (found.has(entry.parent)) found.add(entry.pid);
  }
  return [...found];
}

/** Sends SIGTERM to the group, and waits until it has ended or the grace time is over. */
export async function terminate(tree: ProcessTree, graceMs: number): Promise<void> {
  signal(-tree.leader, "SIGTERM");
  const end = systemClock.now() + graceMs;
  for (let pause = 5; systemClock.now() < end && groupAlive(tree); pause = Math.min(2 * pause, 50)) {
    await systemClock.sleep(pause);
  }
}

/** Kills until a pass over /proc finds nothing. @returns ids that did not end in time (uninterruptible waits) */
export async function killAll(tree: ProcessTree, timeoutMs: number): Promise<readonly number[]> {
  const end = systemClock.now() + timeoutMs;
  for (let pause = 2; ; pause = Math.min(2 * pause, 50)) {
    const left = living(tree);
    if (left.length === 0 || systemClock.now() >= end) return left;
    for (const pid of left) signal(pid, "SIGKILL");
    await systemClock.sleep(pause);
  }
}

/** Kills once, without waiting: for the exit of this process. */
export function killNow(tree: ProcessTree): void {
  for (const pid of living(tree)) signal(pid, "SIGKILL");
}

export function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // ended
  }
}

/** Whether the process group exists; zombies count. */
export function groupExists(leader: number): boolean {
  try {
    return process.kill(-leader, 0);
  } catch {
    return false;
  }
}

function groupAlive(tree: ProcessTree): boolean {
  if (!groupExists(tree.leader)) return false;
  return !hasProc || livingProcesses().some((entry) => entry.group === tree.leader);
}

function carries(pid: number, marker: string): boolean {
  return variableOf(pid, markerVariable)?.split(":").includes(marker) ?? false;
}
