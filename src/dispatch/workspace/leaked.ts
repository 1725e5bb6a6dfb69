/** Files in which an agent wrote a value that it was handed: their work is in no commit and no rescue, where it could never be masked. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readFile as readStored, type ChangedPath } from "../../git/objects/tree.ts";
import { holdsSecret, mask } from "../../lib/mask.ts";
import type { RunContext } from "../../run/context.ts";
import { readPlainFile } from "../../lib/plain-file.ts";

const maxBytes = 4 << 20;

export interface Changes {
  /** Of the workspace. */
  readonly path: string;
  /** What it was laid from. */
  readonly base: string;
  readonly changed: readonly ChangedPath[];
}

/** Their paths, masked: the value is in the name, or in a text in which it was not before. */
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
      holdsSecret(file.path, secrets) ||
      (holdsSecret(await textOf(join(path, file.path)), secrets) &&
        !holdsSecret(
          (await readStored(repository, { commit: base, path: file.path }))?.toString("utf8") ?? "",
          secrets,
        ));
    if (isLeak) leaks.push(mask(file.path, host.secrets));
  }
  return leaks;
}

/** A word that somebody may have to write is not held against a file. */
function isDistinctive(value: string): boolean {
  return value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value);
}

async function textOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null); // a link that leads nowhere
  if (found?.isFile() !== true || found.size > maxBytes) return "";
  return readPlainFile(file).then((text) => text ?? ""); // not to be read: its snapshot says so
}
