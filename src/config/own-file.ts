/** Reads a project file that controls Mettle: it must be a plain file of the repository, of limited size. */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { AppError } from "../lib/errors.ts";

export const maxFileBytes = 1 << 20;

/**
 * @param root path of the repository
 * @returns null if the file is missing
 * @throws config_invalid for a pipe or device, which might never end, and for a link out of the repository, whose content an
 * error might reveal
 */
export async function readOwnFile(root: string, name: string): Promise<Buffer | null> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(join(root, name))]);
    if (!real.startsWith(`${top}${sep}`)) throw fileError(name, "is a link that leads out of the repository");
    const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw fileError(name, "is no plain file");
      if (found.size > maxFileBytes) throw fileError(name, `is longer than ${maxFileBytes >> 20} MiB`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw fileError(name, `cannot be read: ${code ?? message}`, error);
  }
}

function fileError(name: string, why: string, cause?: unknown): AppError {
  return new AppError("config_invalid", `${name} ${why}`, {
    hint: `Make ${name} a readable file of the repository, or remove it to use the defaults.`,
    cause,
  });
}
