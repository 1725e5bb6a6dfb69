/** The checkout with the memory bank: the current one, else the main one, since a worktree may lack the bank. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { programPath } from "../../config/env.ts";
import { openRepository } from "../../git/repository.ts";
import { bankFolder } from "../../memory/bank/files.ts";

export async function bankRoot(cwd: string): Promise<string> {
  const path = programPath();
  const { checkout, root } = await openRepository(cwd, { path, mayBeEmpty: true });
  const isHere = await lstat(join(checkout, bankFolder)).then(
    () => true,
    () => false,
  );
  return isHere ? checkout : root;
}
