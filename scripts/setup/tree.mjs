// The green stamp: the tree on which the whole suite last passed, so that `npm run check` right after `npm test` does not
// repeat the suite. The tree includes every file that git tracks or would track.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, work } from "./root.mjs";

const file = join(work, "green.json");
const maxAgeMs = 60 * 60_000;

/** Hash of all tracked and untracked files that are not ignored; null outside a git checkout. */
export function treeHash() {
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) return null;
  const hash = createHash("sha256").update(`node ${process.version}\0`);
  for (const name of [...new Set(listed.stdout.toString("utf8").split("\0"))].sort()) {
    if (name !== "") hash.update(`${name}\0${contentOf(join(root, name))}\0`);
  }
  return hash.digest("hex");
}

function contentOf(path) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "deleted";
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  if (!stat.isFile()) return "not a file";
  return `${stat.mode & 0o111} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

export function recordGreen(tree) {
  mkdirSync(work, { recursive: true });
  writeFileSync(file, JSON.stringify({ tree, at: Date.now() }));
}

export function forgetGreen() {
  rmSync(file, { force: true });
}

/** When the suite passed on exactly this tree, if within the last hour; else null. */
export function greenSince() {
  let stamp;
  try {
    stamp = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // no stamp, or an incomplete one
  }
  const age = Date.now() - stamp.at;
  return age >= 0 && age < maxAgeMs && stamp.tree === treeHash() ? new Date(stamp.at) : null;
}
