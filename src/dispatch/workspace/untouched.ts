/**
 * Detects an unchanged workspace, as reviewers and planners leave it: its tree is then that of its commit, and no file is
 * read. Compares change times (ctime), which no program can set back.
 */
import { compareFingerprints, fingerprint, type Fingerprint } from "../../git/checkout/fingerprint.ts";
import type { Repository } from "../../git/repository.ts";
import { listFiles } from "../../git/objects/tree.ts";
import { documentFolder } from "../../run/documents/names.ts";

/** Taken before the agent starts. @returns null if the fingerprint cannot cover everything that counts as work */
export async function takeFingerprint(
  repository: Repository,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<Fingerprint | null> {
  const tracked = await listFiles(repository, commit);
  if (tracked.some((file) => file.path.startsWith(`${documentFolder}/`))) return null;
  const taken = await fingerprintOf(path);
  // A name that is not UTF-8 is listed but cannot be read.
  return [...taken.values()].includes("gone") ? null : taken;
}

export async function isUntouched(path: string, before: Fingerprint | null): Promise<boolean> {
  return before !== null && compareFingerprints(before, await fingerprintOf(path)).length === 0;
}

/** Excludes `.git` and the documents, which are not committed. */
function fingerprintOf(path: string): Promise<Fingerprint> {
  return fingerprint(path, { ignore: (name) => name === ".git" || name === documentFolder });
}
