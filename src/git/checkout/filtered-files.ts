/** Of the files of a snapshot those that git stores through a filter: as entries of its tree, or refused. */
import { filtersOf, isAttributesFile, throughFilters } from "./filters.ts";
import type { DiskFile } from "./left-out.ts";
import { readable } from "../objects/raw-paths.ts";
import type { Repository } from "../repository.ts";
import type { IndexEntry } from "../objects/store-files.ts";

export interface FilteredFiles {
  readonly entries: readonly IndexEntry[];
  readonly refused: readonly { readonly path: string; readonly filter: string }[];
  /** All that have a filter, as latin1 strings. */
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
    /** Id of a tracked file. */
    readonly blobOf: (path: string) => string | null;
  },
): Promise<FilteredFiles> {
  const { workTree, base, dir, isUsers, blobOf } = options;
  // A symlink is stored as it is.
  const plain = files.filter(({ isLink }) => !isLink);
  const names = plain.map(({ path }) => path);
  const hasFiles = [...options.tracked, ...names].some(isAttributesFile);
  const filters = await filtersOf(repository, names, { workTree, base, hasFiles, dir });
  const wanted = plain.flatMap(({ path, isExecutable }) => {
    const filter = filters.get(path);
    return filter === undefined ? [] : [{ path, filter, isExecutable, blob: blobOf(path) }];
  });
  const answers = await throughFilters(repository, wanted, { workTree, isUsers });
  const entries = wanted.flatMap(({ path, isExecutable }, at): IndexEntry[] => {
    const answer = answers[at];
    const mode = isExecutable ? "100755" : "100644";
    return answer?.type === "stored" ? [{ mode, blob: answer.blob, path }] : [];
  });
  const refused = wanted
    .filter((_file, at) => answers[at]?.type !== "stored")
    .map(({ path, filter }) => ({ path: readable(path), filter }));
  return { entries, refused, paths: new Set(wanted.map(({ path }) => path)) };
}
