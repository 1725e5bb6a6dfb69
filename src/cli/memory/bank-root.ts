/** The checkout whose memory bank is meant: the one that is worked in, else the main one, which a worktree may lack. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { environment, variable } from "../../config/env.ts";
import { openRepository } from "../../git/repository.ts";
import { bankFolder } from "../../memory/bank/files.ts";

export async function bankRoot(cwd: string): Promise<string> {
  const path = variable("PATH", environment()) ?? "/usr/bin:/bin";
  const { checkout, root } = await openRepository(cwd, { path, mayBeEmpty: true });
  const isHere = await lstat(join(checkout, bankFolder)).then(
    () => true,
    () => false,
  );
  return isHere ? checkout : root;
}
