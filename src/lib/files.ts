/** Files as a whole: a reader finds all of the old content or all of the new one, also after a power cut. */
import { constants } from "node:fs";
import { access, lstat, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { newId } from "./ids.ts";

/** Whether a path is taken. A link counts itself, also one that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false, // not there, or not to be seen
  );
}

/** Whether this user may start the program at a path. */
export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export interface WriteOptions {
  /** Permissions of a new file, less what the umask takes. A file that is there keeps its own. */
  readonly mode?: number;
  /** Writes the file that a link leads to. Otherwise the new file replaces the link. */
  readonly followsLink?: boolean;
  /** Asked when the new content is on disk; where it answers false the old file stays. */
  readonly mayReplace?: () => Promise<boolean>;
}

/**
 * Writes beside the place and moves the result there. The folder must exist.
 * @returns false where `mayReplace` refused
 */
export async function writeWhole(
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
      if (kept !== null) await handle.chmod(kept); // what the umask took
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

/** The new name is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
