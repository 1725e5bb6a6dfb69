import { systemClock } from "../lib/clock.ts";
import { livingProcesses, processEntry, variableOf } from "./proc.ts";
import { signal } from "./tree.ts";

/**
 * After a crash of Mettle itself: ends what a run had started, by a variable that the runtime put into the environment
 * of its processes. This process and those above it are spared. Returns the ids of what it killed.
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
