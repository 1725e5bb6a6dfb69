import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Path to what the file system says about it. Equal strings mean that nobody wrote, replaced or re-dated the file. */
export type Fingerprint = ReadonlyMap<string, string>;

/**
 * Looks at every file and symlink below a folder, without reading or following any. The change time is part of it,
 * since a program can set back the modification time but not that. `ignore` is asked for folders too.
 */
export async function fingerprint(
  dir: string,
  options: { readonly ignore: (path: string) => boolean },
): Promise<Fingerprint> {
  return (await fingerprintUpTo(dir, { ...options, most: Infinity })) ?? new Map();
}

/** The same; null where there are more than `most` files. */
export async function fingerprintUpTo(
  dir: string,
  options: { readonly ignore: (path: string) => boolean; readonly most: number },
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
    if (seen.size > options.most) return null;
    // Other runs go on between two folders.
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
    return []; // gone meanwhile, or not ours to read
  }
}

function stampOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.mode} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`;
  } catch {
    return "gone"; // removed meanwhile, or its path is longer than a path may be
  }
}
