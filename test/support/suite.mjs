// What the workers of one run of the suite share, made before the first of them starts and gone after the last.
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function setup() {
  const folder = mkdtempSync(join(place(), "ms-"));
  process.env["TMPDIR"] = folder;
  const executed = join(folder, "executed-once");
  mkdirSync(executed);
  process.env["METTLE_EXECUTED_ONCE"] = executed;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Thousands of small repositories are made and removed: in memory, where there is room, that costs a tenth. */
function place() {
  const memory = "/dev/shm";
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    if (type === tmpfs && bavail * bsize > roomBytes) return memory;
  } catch {
    // there is no such folder, or not on this system
  }
  return tmpdir();
}

const tmpfs = 0x01021994;
const roomBytes = 4 * 1024 ** 3;
