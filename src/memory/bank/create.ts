/** Makes what is missing of a memory bank. A file that is there stays as it is, whatever it holds, a link too. */
import { join } from "node:path";
import { exists } from "../../lib/files.ts";
import { changeFile } from "./change-file.ts";
import { bankFiles, type BankOptions } from "./templates.ts";

export interface CreateBankResult {
  /** Paths relative to the root. */
  readonly made: readonly string[];
  readonly kept: readonly string[];
}

export async function createBank(root: string, options: BankOptions): Promise<CreateBankResult> {
  const made: string[] = [];
  const kept: string[] = [];
  for (const [path, text] of bankFiles(options)) {
    const { written } = (await exists(join(root, path)))
      ? { written: false }
      : await changeFile(root, path, (before) => (before === null ? Buffer.from(text) : null));
    (written ? made : kept).push(path);
  }
  return { made, kept };
}
