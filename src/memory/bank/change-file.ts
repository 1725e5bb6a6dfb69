/** Writes a file of the memory bank so that a reader sees all of the old or all of the new one, also after a power cut. */
import { lstat, mkdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { writeWhole } from "../../lib/files.ts";

/**
 * Makes of a file what `change` makes of its bytes, null where there is none; null back leaves it alone. What somebody saves
 * meanwhile is not lost: the change is made again with that.
 * @param path relative to the root, with `/`
 */
export async function changeFile(
  root: string,
  path: string,
  change: (before: Buffer | null) => Buffer | null,
): Promise<{ readonly written: boolean }> {
  const place = join(root, path);
  try {
    await refuseLink(root, path);
    for (let tries = 0; tries < 10; tries++) {
      const before = await read(place);
      const after = change(before);
      if (after === null || (before !== null && after.equals(before))) return { written: false };
      if (await swap(place, before, after)) return { written: true };
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unwritable(path, cause);
  }
  throw unwritable(path, new Error("somebody else writes it all the time"));
}

/** False when the file is no longer what it was. */
async function swap(place: string, before: Buffer | null, after: Buffer): Promise<boolean> {
  await mkdir(dirname(place), { recursive: true });
  return writeWhole(place, after, {
    mayReplace: async () => {
      const now = await read(place);
      return before === null ? now === null : now?.equals(before) === true;
    },
  });
}

/** An agent may have put a link there, and what it names is not the memory bank's; or a pipe, which is read without end. */
async function refuseLink(root: string, path: string): Promise<void> {
  const folder = join(root, dirname(path));
  const real = await realpath(folder).catch(() => null); // Not there yet, or a broken link, which mkdir refuses.
  const isOther = await lstat(join(root, path)).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (!isOther && (real === null || real === join(await realpath(root), dirname(path)))) return;
  throw new AppError("state_unwritable", `${path} is a link or no file at all, or its folder is a link`, {
    hint: "replace it by a real file in a real folder; nothing was written",
  });
}

async function read(place: string): Promise<Buffer | null> {
  return readFile(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return null;
    throw cause;
  });
}

function unwritable(path: string, cause: unknown): AppError {
  return new AppError(
    "state_unwritable",
    `${path} cannot be written: ${cause instanceof Error ? cause.message : ""}`,
    {
      hint: "see to it that the file can be written",
      cause,
    },
  );
}
