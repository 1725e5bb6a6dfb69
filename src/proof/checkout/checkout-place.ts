/**
 * The folder in which clean checkouts are made: that of the state home, or one of a plain name where the path of the state home
 * holds signs that runners read as patterns, queries or quotes.
 */
import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import { sha256 } from "../../lib/hash.ts";

const plain = /^[\w./+=~@-]*$/;

/** @param worktrees the folder of the state home */
export async function makePlace(worktrees: string): Promise<void> {
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  const place = await plainPlace(worktrees);
  if (place === worktrees) return;
  await mkdir(place, { mode: 0o700 }).catch(() => undefined); // it is there, or the look at it fails
  const found = await lstat(place);
  if (found.isDirectory() && found.uid === process.getuid?.()) return;
  throw new AppError("worktree_failed", `${place} is not a folder of yours`, {
    hint: "remove it, or set METTLE_HOME to a path of letters and digits, then `mettle resume`",
    retry: "safe",
  });
}

/** Where it is, or would be. */
export async function plainPlace(worktrees: string): Promise<string> {
  const real = await realpath(worktrees).catch(() => worktrees); // not made yet
  return plain.test(real) ? worktrees : join("/tmp", `mettle-${sha256(real).slice(-16)}`);
}
