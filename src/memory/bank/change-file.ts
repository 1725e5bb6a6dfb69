/** Changes a file atomically: a reader sees the whole old or the whole new file, even after a power failure. */
import { lstat, mkdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { writeAtomically } from "../../lib/files.ts";

/**
 * Replaces a file by `change` of its bytes (null if there is no file); a null result leaves it unchanged. If somebody saves the file
 * meanwhile, the change is applied again to the new bytes.
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
    for (let attempt = 0; attempt < 10; attempt++) {
      const before = await read(place);
      const after = change(before);
      if (after === null || (before !== null && after.equals(before))) return { written: false };
      if (await swap(place, before, after)) return { written: true };
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unwritable(path, cause);
  }
  throw unwritable(path, new Error("another process keeps changing it"));
}

/** False if the file has changed. */
async function swap(place: string, before: Buffer | null, after: Buffer): Promise<boolean> {
  await mkdir(dirname(place), { recursive: true });
  return writeAtomically(place, after, {
    mayReplace: async () => {
      const now = await read(place);
      return before === null ? now === null : now?.equals(before) === true;
    },
  });
}

/** Refuses a link, which may lead out of the repository, and a pipe, which would block. An agent may have created either. */
async function refuseLink(root: string, path: string): Promise<void> {
  const folder = join(root, dirname(path));
  const real = await realpath(folder).catch(() => null); // missing, or a broken link, which mkdir refuses
  const isSpecial = await lstat(join(root, path)).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (!isSpecial && (real === null || real === join(await realpath(root), dirname(path)))) return;
  throw new AppError("state_unwritable", `${path} is not a regular file, or its folder is a link`, {
    hint: "replace it with a regular file in a regular folder; nothing was written",
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
      hint: "make the file writable",
      cause,
    },
  );
}
