/** Reads a file that anybody may have put there: a pipe, a device or an endless file in its place is waited for by nobody. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Bytes. */
const usualMost = 64 * 1024 * 1024;

/**
 * Null where there is none, where it is no plain file, cannot be read, or is longer than `most` bytes. A link is followed.
 */
export async function readPlainFile(path: string, most = usualMost): Promise<string | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= most ? await handle.readFile("utf8") : null;
  } catch {
    return null; // a disk that fails
  } finally {
    await handle.close();
  }
}
