// Content hashes that show whether an installation or a build belongs to the current sources.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Hash of files and folders (recursive) below `root`; `keep` can exclude files. A missing path counts as empty. */
export function hashOf(root, paths, keep = () => true) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesOf(join(root, path))) {
      const name = relative(root, file);
      if (!keep(name)) continue;
      const bytes = readFileSync(file);
      hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
}

export function readStamp(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null; // missing, so stale
  }
}

export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${stamp}\n`);
}

function filesOf(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    if (error.code === "ENOENT") return [];
    throw error;
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesOf(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : [],
    );
}
