/** Files that a snapshot cannot store: they are omitted from the tree and reported with the reason. */
import { lstat } from "node:fs/promises";
import { git } from "../git.ts";
import { displayPath } from "../objects/raw-paths.ts";
import { inStore, type Repository } from "../repository.ts";

export interface OmittedFile {
  readonly path: string;
  readonly reason: "filter" | "too_large" | "unreadable";
  /** The reason as one clause. */
  readonly why: string;
}

/** Maximum bytes of one file. */
export const maxFileBytes = 50 * 1024 * 1024;
/** Maximum bytes of all new files of a snapshot together. */
export const maxNewBytes = 500 * 1024 * 1024;

export interface DiskFile {
  /** A latin1 string. */
  readonly path: string;
  readonly size: number;
  readonly isLink: boolean;
  readonly isExecutable: boolean;
}

/** Stats paths without following links; leaves out everything but files and symlinks. */
export async function statFiles(workTree: string, paths: readonly string[]): Promise<readonly DiskFile[]> {
  const found: DiskFile[] = [];
  // In batches, because a checkout may have more files than a process may have open requests.
  for (let at = 0; at < paths.length; at += batch)
    found.push(
      ...(await Promise.all(paths.slice(at, at + batch).map((path) => statFile(workTree, path)))).flat(),
    );
  return found;
}

const batch = 1_000;

async function statFile(workTree: string, path: string): Promise<readonly DiskFile[]> {
  const location = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
  const stat = await lstat(location).catch(() => null); // deleted meanwhile
  if (stat === null || !(stat.isFile() || stat.isSymbolicLink())) return [];
  const { size, mode } = stat;
  return [{ path, size, isLink: stat.isSymbolicLink(), isExecutable: (mode & 0o100) !== 0 }];
}

/**
 * The files that are too large. A tracked file with an unchanged size does not count: it is in the repository already.
 * @param blobOf blob id of a tracked file
 */
export async function tooLarge(
  repository: Repository,
  files: readonly DiskFile[],
  blobOf: (path: string) => string | null,
): Promise<readonly OmittedFile[]> {
  const large = files.filter(({ size }) => size > maxFileBytes);
  const sizes = await sizesOf(
    repository,
    large.flatMap(({ path }) => blobOf(path) ?? []),
  );
  const out = large
    .filter(({ path, size }) => sizes.get(blobOf(path) ?? "") !== size)
    .map((file) =>
      tooLargeFile(
        file.path,
        `${megabytes(file.size)} MiB are more than the ${megabytes(maxFileBytes)} MiB of one file`,
      ),
    );
  let bytes = 0;
  for (const { path, size } of files) {
    if (size > maxFileBytes || blobOf(path) !== null) continue;
    bytes += size;
    if (bytes > maxNewBytes)
      out.push(tooLargeFile(path, `new files are more than ${megabytes(maxNewBytes)} MiB together`));
  }
  return out;
}

function tooLargeFile(path: string, why: string): OmittedFile {
  return { path: displayPath(path), reason: "too_large", why };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

async function sizesOf(repository: Repository, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const input = ids.map((id) => `${id}\n`).join("");
  const answer = (await git(inStore(repository), ["cat-file", "--batch-check"], { input })).toString(
    "latin1",
  );
  return new Map(
    answer.split("\n").map((line) => {
      const [id = "", , size = ""] = line.split(" ");
      return [id, Number(size)];
    }),
  );
}
