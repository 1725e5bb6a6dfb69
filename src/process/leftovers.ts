import { systemClock } from "../lib/clock.ts";
import { livingProcesses, processEntry, variableOf } from "./proc.ts";
import { signal } from "./tree.ts";

/**
 * Kills the processes of a run that are left after a crash of Mettle. A variable in their environment identifies them. This
 * process and its ancestors are spared. @returns the ids of the killed processes
 */
export async function endLeftovers(variable: string, value: string): Promise<readonly number[]> {
  const spared = lineage();
  const killed = new Set<number>();
  const end = systemClock.now() + 5_000;
  for (;;) {
    const found = livingProcesses().filter(
      ({ pid }) => !spared.has(pid) && variableOf(pid, variable) === value,
    );
    if (found.length === 0 || systemClock.now() >= end) return [...killed];
    for (const { pid } of found) {
      signal(pid, "SIGKILL");
      killed.add(pid);
    }
    await systemClock.sleep(10);
  }
}

function lineage(): ReadonlySet<number> {
  const pids = new Set<number>();
  for (let pid = process.pid; pid > 0 && !pids.has(pid); pid = processEntry(pid)?.parent ?? 0) pids.add(pid);
  return pids;
}
