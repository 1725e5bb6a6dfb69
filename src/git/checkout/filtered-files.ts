/** Handles the files of a snapshot that git stores through a filter: as tree entries, or refused. */
import { filtersOf, isAttributesFile, applyFilters } from "./filters.ts";
import type { DiskFile } from "./omitted-files.ts";
import { displayPath } from "../objects/raw-paths.ts";
import type { Repository } from "../repository.ts";
import type { IndexEntry } from "../objects/store-files.ts";

export interface FilteredFiles {
  readonly entries: readonly IndexEntry[];
  readonly refused: readonly { readonly path: string; readonly filter: string }[];
  /** All paths with a filter, as latin1 strings. */
  readonly paths: ReadonlySet<string>;
}

export async function filteredFiles(
  repository: Repository,
  files: readonly DiskFile[],
  options: {
    readonly workTree: string;
    readonly base: string;
    readonly dir: string;
    readonly isUsers: boolean;
    /** Paths of the base. */
    readonly tracked: Iterable<string>;
    /** Blob id of a tracked file. */
    readonly blobOf: (path: string) => string | null;
  },
): Promise<FilteredFiles> {
  const { workTree, base, dir, isUsers, blobOf } = options;
  // Filters do not apply to symlinks.
  const plain = files.filter(({ isLink }) => !isLink);
  const names = plain.map(({ path }) => path);
  const hasFiles = [...options.tracked, ...names].some(isAttributesFile);
  const filters = await filtersOf(repository, names, { workTree, base, hasFiles, dir });
  const wanted = plain.flatMap(({ path, isExecutable }) => {
    const filter = filters.get(path);
    return filter === undefined ? [] : [{ path, filter, isExecutable, blob: blobOf(path) }];
  });
  const answers = await applyFilters(repository, wanted, { workTree, isUsers });
  const entries = wanted.flatMap(({ path, isExecutable }, at): IndexEntry[] => {
    const answer = answers[at];
    const mode = isExecutable ? "100755" : "100644";
    return answer?.type === "stored" ? [{ mode, blob: answer.blob, path }] : [];
  });
  const refused = wanted
    .filter((_file, at) => answers[at]?.type !== "stored")
    .map(({ path, filter }) => ({ path: displayPath(path), filter }));
  return { entries, refused, paths: new Set(wanted.map(({ path }) => path)) };
}
