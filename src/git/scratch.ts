import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for one operation, outside the repository and every worktree. */
export async function withScratch<Value>(use: (dir: string) => Promise<Value>): Promise<Value> {
  const dir = await mkdtemp(join(tmpdir(), "mettle-git-"));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
