/** Creates the missing files of a memory bank. Existing files and links stay unchanged. */
import { join } from "node:path";
import { exists } from "../../lib/files.ts";
import { changeFile } from "./change-file.ts";
import { bankFiles, type BankOptions } from "./templates.ts";

export interface CreateBankResult {
  /** Paths relative to the root. */
  readonly created: readonly string[];
  readonly kept: readonly string[];
}

export async function createBank(root: string, options: BankOptions): Promise<CreateBankResult> {
  const created: string[] = [];
  const kept: string[] = [];
  for (const [path, text] of bankFiles(options)) {
    const { written } = (await exists(join(root, path)))
      ? { written: false }
      : await changeFile(root, path, (before) => (before === null ? Buffer.from(text) : null));
    (written ? created : kept).push(path);
  }
  return { created, kept };
}
