/** Finds files into which an agent wrote a secret. Such work is not committed or rescued: a commit cannot be masked later. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readFile as readStored, type ChangedPath } from "../../git/objects/tree.ts";
import { containsSecret, mask } from "../../lib/mask.ts";
import type { RunContext } from "../../run/context.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

const maxBytes = 4 << 20;

export interface Changes {
  /** Path of the workspace. */
  readonly path: string;
  /** The commit that the workspace was created from. */
  readonly base: string;
  readonly changed: readonly ChangedPath[];
}

/** @returns masked paths of files with a secret in their name, or in their text if the base does not have it there */
export async function leakedIn(
  { host, repository }: RunContext,
  { path, base, changed }: Changes,
): Promise<readonly string[]> {
  const secrets = host.secrets.filter(isDistinctive);
  if (secrets.length === 0) return [];
  const leaks: string[] = [];
  for (const file of changed) {
    if (file.status === "deleted") continue;
    const isLeak =
      containsSecret(file.path, secrets) ||
      (containsSecret(await textOf(join(path, file.path)), secrets) &&
        !containsSecret(
          (await readStored(repository, { commit: base, path: file.path }))?.toString("utf8") ?? "",
          secrets,
        ));
    if (isLeak) leaks.push(mask(file.path, host.secrets));
  }
  return leaks;
}

/** An ordinary word may appear in a file by chance, so only long mixed values count. */
function isDistinctive(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value);
}

async function textOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null); // a dangling link
  if (found?.isFile() !== true || found.size > maxBytes) return "";
  return readPlainFile(file).then((text) => text ?? ""); // unreadable: the snapshot reports it
}
