import { sha256 } from "../../lib/hash.ts";
import { readObjects, unreadable } from "./object-reader.ts";
import type { Repository } from "../repository.ts";
import { listFiles, submoduleMode } from "./tree.ts";

/** `sha256:…` of the content of each path that the commit holds; a path that it does not hold is not in the answer. */
export async function hashFiles(
  repository: Repository,
  files: { commit: string; paths: readonly string[] },
): Promise<Readonly<Record<string, string>>> {
  const wanted = new Set(files.paths);
  const found = (await listFiles(repository, files.commit)).filter(({ path }) => wanted.has(path));
  const blobs = await readBlobs(
    repository,
    found.flatMap(({ mode, blob }) => (mode === submoduleMode ? [] : [blob])),
  );
  return Object.fromEntries(
    found.map(({ path, mode, blob }) => {
      const content = mode === submoduleMode ? Buffer.from(`submodule ${blob}`) : blobs.get(blob);
      if (content === undefined) throw unreadable(blob);
      return [path, sha256(content)];
    }),
  );
}

/** Reads many objects in one go, by id; small ones that were read a moment ago are still known. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const missing = new Set<string>();
  for (const id of ids) {
    const known = small.get(keyOf(repository, id));
    if (known) blobs.set(id, known);
    else missing.add(id);
  }
  if (missing.size === 0) return blobs;
  const names = [...missing];
  for (const [at, found] of (await readObjects(repository, names)).entries()) {
    const id = names[at] ?? "";
    if (found?.type !== "blob") throw unreadable(id);
    blobs.set(id, found.content);
    keep(keyOf(repository, id), found.content);
  }
  return blobs;
}

const small = new Map<string, Buffer>();
const mostSmall = 256;
const smallBytes = 16 << 10;

function keyOf(repository: Repository, id: string): string {
  return `${repository.gitDir}\n${id}`;
}

function keep(key: string, blob: Buffer): void {
  if (blob.length > smallBytes) return;
  // A copy: the slice would hold on to everything that was read with it.
  small.set(key, Buffer.from(blob));
  for (const oldest of small.keys()) {
    if (small.size <= mostSmall) break;
    small.delete(oldest);
  }
}
