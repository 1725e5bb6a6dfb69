/** Folders and other things of a test file that are removed after its last test: `remove-after-file.ts` does it. */
import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const removals: (() => unknown)[] = [];

/** Calls `remove` after the last test of this file; the newest is called first. */
export function afterFile(remove: () => unknown): void {
  removals.push(remove);
}

export async function removeAll(): Promise<void> {
  for (const remove of removals.splice(0).toReversed()) await remove();
}

/** The real path of a new temporary folder. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mettle-test-")));
  // A process that is just ending may still write: the asynchronous form lists the folder again at each try.
  afterFile(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
