import { sha256 } from "../../lib/hash.ts";
import { readObjects, unreadable } from "./object-reader.ts";
import type { Repository } from "../repository.ts";
import { listFiles, submoduleMode } from "./tree.ts";

/** Path -> `sha256:…` of its content in the commit; missing paths are left out. */
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

/** Reads blobs by id in one batch; recently read small ones come from a cache. */
export async function readBlobs(
  repository: Repository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const missing = new Set<string>();
  for (const id of ids) {
    const known = blobCache.get(keyOf(repository, id));
    if (known) blobs.set(id, known);
    else missing.add(id);
  }
  if (missing.size === 0) return blobs;
  const names = [...missing];
  for (const [at, found] of (await readObjects(repository, names)).entries()) {
    const id = names[at] ?? "";
    if (found?.type !== "blob") throw unreadable(id);
    blobs.set(id, found.content);
    cacheBlob(keyOf(repository, id), found.content);
  }
  return blobs;
}

const blobCache = new Map<string, Buffer>();
const maxCachedBlobs = 256;
const maxCachedBytes = 16 << 10;

function keyOf(repository: Repository, id: string): string {
  return `${repository.gitDir}\n${id}`;
}

function cacheBlob(key: string, blob: Buffer): void {
  if (blob.length > maxCachedBytes) return;
  // A copy, because the slice would retain the whole read buffer.
  blobCache.set(key, Buffer.from(blob));
  for (const oldest of blobCache.keys()) {
    if (blobCache.size <= maxCachedBlobs) break;
    blobCache.delete(oldest);
  }
}
