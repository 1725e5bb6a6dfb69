/** The files of the memory bank: σ₁ to σ₆ in `memory-bank/` of a checkout. */
import { lstat, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import type { MemoryNumber } from "../../notation/memory-reference.ts";
import type { Protocol } from "../../protocol/machine.ts";

export const bankFolder = "memory-bank";

export const memoryFiles: Readonly<Record<MemoryNumber, string>> = {
  1: "projectbrief.md",
  2: "systemPatterns.md",
  3: "techContext.md",
  4: "activeContext.md",
  5: "progress.md",
  6: "protection.md",
};

/** Whether the protocol uses a memory bank. */
export function hasMemoryBank({ features }: Pick<Protocol, "features">): boolean {
  return features["memory_bank"] === true;
}

/** Relative to the checkout, with `/`. */
export function memoryPath(memory: MemoryNumber): string {
  return `${bankFolder}/${memoryFiles[memory]}`;
}

export interface BankFile {
  /** Relative to the checkout, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** All Markdown files of the memory bank, including subfolders, sorted by path; empty without a bank. */
export async function readBank(root: string): Promise<readonly BankFile[]> {
  const entries = await readdir(join(root, bankFolder), { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return [];
      throw unreadable(bankFolder, cause);
    },
  );
  // Links are left out, because their targets may be anywhere.
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const read = await Promise.all(paths.toSorted().map((path) => readMemoryFile(root, path)));
  return read.flatMap((file) => file ?? []);
}

/** Null if there is no file. Refuses a link, which may lead out of the repository. */
export async function readMemoryFile(root: string, path: string): Promise<BankFile | null> {
  const place = join(root, path);
  try {
    if (!(await lstat(place)).isFile()) throw new Error("it is not a regular file");
    return { path, text: await readFile(place, "utf8") };
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): AppError {
  return new AppError(
    "memory_unreadable",
    `${path} cannot be read: ${cause instanceof Error ? cause.message : ""}`,
    {
      hint: `make ${path} a readable regular file or folder`,
      cause,
    },
  );
}
