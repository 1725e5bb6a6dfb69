/**
 * Whether an agent left its workspace as it was laid. Reviewers and planners do, and then nothing has to be read: its tree
 * is the one of its commit. The file system is asked, whose change times no program can set back.
 */
import { compareFingerprints, fingerprint, type Fingerprint } from "../../git/checkout/fingerprint.ts";
import type { Repository } from "../../git/repository.ts";
import { listFiles } from "../../git/objects/tree.ts";
import { documentFolder } from "../../run/documents/names.ts";

/** Taken before the agent starts. null where the file system cannot tell all that counts as work. */
export async function takeFingerprint(
  repository: Repository,
  { path, commit }: { readonly path: string; readonly commit: string },
): Promise<Fingerprint | null> {
  const tracked = await listFiles(repository, commit);
  if (tracked.some((file) => file.path.startsWith(`${documentFolder}/`))) return null;
  const laid = await fingerprintOf(path);
  // A name that is no UTF-8 is listed and cannot be looked at.
  return [...laid.values()].includes("gone") ? null : laid;
}

export async function isUntouched(path: string, laid: Fingerprint | null): Promise<boolean> {
  return laid !== null && compareFingerprints(laid, await fingerprintOf(path)).length === 0;
}

/** Without git's own file, and without the documents, which are no work. */
function fingerprintOf(path: string): Promise<Fingerprint> {
  return fingerprint(path, { ignore: (name) => name === ".git" || name === documentFolder });
}
