import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Path -> stat values. Equal strings mean that the file was not written, replaced or re-dated. */
export type Fingerprint = ReadonlyMap<string, string>;

/**
 * Stats every file and symlink below a folder without reading or following it. Includes the change time, because a
 * program can reset the modification time but not that. `ignore` is called for folders too.
 */
export async function fingerprint(
  dir: string,
  options: { readonly ignore: (path: string) => boolean },
): Promise<Fingerprint> {
  return (await fingerprintUpTo(dir, { ...options, maxFiles: Infinity })) ?? new Map();
}

/** Like `fingerprint`; null if there are more than `maxFiles` files. */
export async function fingerprintUpTo(
  dir: string,
  options: { readonly ignore: (path: string) => boolean; readonly maxFiles: number },
): Promise<Fingerprint | null> {
  const seen = new Map<string, string>();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readFolder(join(dir, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (options.ignore(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else seen.set(path, stampOf(join(dir, path)));
    }
    if (seen.size > options.maxFiles) return null;
    // Yields to other runs between folders.
    await setImmediate();
  }
  return seen;
}

/** Paths that appeared, disappeared or changed, sorted. */
export function compareFingerprints(before: Fingerprint, after: Fingerprint): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return []; // deleted meanwhile, or unreadable
  }
}

function stampOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
  } catch {
    return "gone"; // deleted meanwhile, or its path is too long
  }
}
