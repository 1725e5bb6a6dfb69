/**
 * The folder for clean checkouts: inside the state home, or a temporary one with a plain name when the path of the state
 * home contains characters that runners treat as patterns, queries or quotes, or a hidden folder, below which file servers
 * and globs find nothing. That is so for the usual `~/.local/state`.
 */
import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";

const plain = /^(?!.*\/\.)[\w./+=~@-]*$/;

/** @param worktrees the folder in the state home */
export async function makeCheckoutsFolder(worktrees: string): Promise<void> {
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  const place = await checkoutsFolder(worktrees);
  if (place === worktrees) return;
  await mkdir(place, { mode: 0o700 }).catch(() => undefined); // it exists, or the next check fails
  const found = await lstat(place);
  if (found.isDirectory() && found.uid === process.getuid?.()) return;
  throw new AppError("worktree_failed", `${place} is not a folder of yours`, {
    hint: "remove it, or set METTLE_HOME to a path of letters and digits, then `mettle resume`",
    retry: "safe",
  });
}

/** The folder's path, even before it exists. */
export async function checkoutsFolder(worktrees: string): Promise<string> {
  const real = await realpath(worktrees).catch(() => worktrees); // does not exist yet
  return plain.test(real) ? worktrees : join("/tmp", `mettle-${sha256(real).slice(-16)}`);
}
