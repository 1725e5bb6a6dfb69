/** Atomic file writes: readers see the complete old or the complete new content, even after a power cut. */
import { constants, statSync } from "node:fs";
import { access, lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { newId } from "./ids.ts";

/** Whether a path exists. A link counts, even a broken one. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false, // missing or inaccessible
  );
}

/** Whether this user may execute the file. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A text that changes when the file or folder at a path does, or appears, or disappears. */
export function fileStamp(path: string): string {
  return `${path} ${stateOf(path)}`;
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return "-"; // missing is a state too
  }
}

export interface WriteOptions {
  /** Permissions of a new file, minus the umask. An existing file keeps its permissions. */
  readonly mode?: number;
  /** Writes the target of a link. Otherwise the new file replaces the link. */
  readonly followsLink?: boolean;
  /** Called when the new content is on disk; false keeps the old file. */
  readonly mayReplace?: () => Promise<boolean>;
}

/**
 * Writes a temporary file in the same folder, which must exist, and renames it.
 * @returns false if `mayReplace` refused
 */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  { mode = 0o666, followsLink = false, mayReplace }: WriteOptions = {},
): Promise<boolean> {
  const place = followsLink && (await exists(path)) ? await realpath(path) : path;
  const old = await lstat(place).catch(() => null);
  const kept = old?.isFile() === true ? old.mode & 0o7777 : null;
  const draft = join(dirname(place), `.${basename(place)}.${newId()}.tmp`);
  try {
    const handle = await open(draft, "wx", kept ?? mode);
    try {
      await handle.writeFile(data);
      if (kept !== null) await handle.chmod(kept); // restores bits removed by the umask
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (mayReplace !== undefined && !(await mayReplace())) return false;
    await rename(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(place));
  return true;
}

/** Syncs the new directory entry. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
