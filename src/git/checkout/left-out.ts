/** Files that a snapshot cannot take: they stay out of the tree, and whoever made it is told which and why. */
import { lstat } from "node:fs/promises";
import { git } from "../git.ts";
import { readable } from "../objects/raw-paths.ts";
import { inStore, type Repository } from "../repository.ts";

export interface LeftOut {
  readonly path: string;
  readonly reason: "filter" | "too_large" | "unreadable";
  /** One clause that says why. */
  readonly why: string;
}

/** Bytes of one file, and of all new files of a snapshot together. */
export const maxFileBytes = 50 * 1024 * 1024;
export const maxNewBytes = 500 * 1024 * 1024;

export interface DiskFile {
  /** A latin1 string. */
  readonly path: string;
  readonly size: number;
  readonly isLink: boolean;
  readonly isExecutable: boolean;
}

/** What the file system says of each path, none of them followed; paths that are no file or symlink are not in the answer. */
export async function looked(workTree: string, paths: readonly string[]): Promise<readonly DiskFile[]> {
  const found: DiskFile[] = [];
  // Not all at once: a checkout may hold more files than a process may have requests open.
  for (let at = 0; at < paths.length; at += batch)
    found.push(
      ...(await Promise.all(paths.slice(at, at + batch).map((path) => look(workTree, path)))).flat(),
    );
  return found;
}

const batch = 1_000;

async function look(workTree: string, path: string): Promise<readonly DiskFile[]> {
  const location = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(path, "latin1")]);
  const stat = await lstat(location).catch(() => null); // gone meanwhile
  if (stat === null || !(stat.isFile() || stat.isSymbolicLink())) return [];
  const { size, mode } = stat;
  return [{ path, size, isLink: stat.isSymbolicLink(), isExecutable: (mode & 0o100) !== 0 }];
}

/**
 * Those that are too large. A tracked file of the same size as before is none of them: it is in the repository already.
 * @param blobOf the id of a tracked file
 */
export async function tooLarge(
  repository: Repository,
  files: readonly DiskFile[],
  blobOf: (path: string) => string | null,
): Promise<readonly LeftOut[]> {
  const large = files.filter(({ size }) => size > maxFileBytes);
  const sizes = await sizesOf(
    repository,
    large.flatMap(({ path }) => blobOf(path) ?? []),
  );
  const out = large
    .filter(({ path, size }) => sizes.get(blobOf(path) ?? "") !== size)
    .map((file) =>
      leftOut(
        file.path,
        `${megabytes(file.size)} MiB are more than the ${megabytes(maxFileBytes)} MiB of one file`,
      ),
    );
  let bytes = 0;
  for (const { path, size } of files) {
    if (size > maxFileBytes || blobOf(path) !== null) continue;
    bytes += size;
    if (bytes > maxNewBytes)
      out.push(leftOut(path, `new files are more than ${megabytes(maxNewBytes)} MiB together`));
  }
  return out;
}

function leftOut(path: string, why: string): LeftOut {
  return { path: readable(path), reason: "too_large", why };
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
