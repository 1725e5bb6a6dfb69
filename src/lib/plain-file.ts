/** Reads a file from an untrusted place: it does not hang at a pipe, a device or an endless file. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

const defaultMaxBytes = 64 * 1024 * 1024;

/**
 * Null if the file is missing, not a plain file, unreadable, or longer than `maxBytes`. Follows links.
 */
export async function readPlainFile(path: string, maxBytes = defaultMaxBytes): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= maxBytes ? await handle.readFile("utf8") : null;
  } catch {
    return null; // disk error
  } finally {
    await handle.close();
  }
}
