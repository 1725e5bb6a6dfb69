/** The files of one commit, read from git's object store, never from a working tree. */
import { readBlobs } from "../../git/objects/contents.ts";
import { outsideLinks } from "../../git/links.ts";
import type { Repository } from "../../git/repository.ts";
import { listFiles, submoduleMode, symlinkMode, treeOf, type TreeFile } from "../../git/objects/tree.ts";

export interface Project {
  readonly commit: string;
  readonly tree: string;
  /** The folder of a package with a slash, relative to the repository; empty for the root. */
  readonly prefix: string;
  readonly files: ReadonlyMap<string, TreeFile>;
  /** The texts of plain files; paths that the commit does not contain are omitted. */
  texts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export async function projectAt(repository: Repository, commit: string): Promise<Project> {
  const [tree, list] = await Promise.all([treeOf(repository, commit), listFiles(repository, commit)]);
  const files = new Map(list.map((file) => [file.path, file]));
  const known = new Map<string, string>();
  return {
    commit,
    tree,
    prefix: "",
    files,
    texts: async (paths) => {
      const plain = paths.flatMap((path) => {
        const file = files.get(path);
        return file === undefined || file.mode === symlinkMode || file.mode === submoduleMode ? [] : [file];
      });
      const missing = plain.filter(({ path }) => !known.has(path));
      const blobs = await readBlobs(
        repository,
        missing.map(({ blob }) => blob),
      );
      for (const { path, blob } of missing) known.set(path, blobs.get(blob)?.toString("utf8") ?? "");
      return new Map(plain.map(({ path }) => [path, known.get(path) ?? ""]));
    },
  };
}

/** The files below a folder, relative to it, without the `inner` folders. */
export function projectIn(whole: Project, prefix: string, inner: readonly string[] = []): Project {
  if (prefix === "" && inner.length === 0) return whole;
  const own = [...whole.files].filter(
    ([path]) => path.startsWith(prefix) && !inner.some((other) => path.startsWith(other)),
  );
  return {
    ...whole,
    prefix: `${whole.prefix}${prefix}`,
    files: new Map(own.map(([path, file]) => [path.slice(prefix.length), file])),
    texts: async (paths) => {
      const texts = await whole.texts(paths.map((path) => `${prefix}${path}`));
      return new Map([...texts].map(([path, text]) => [path.slice(prefix.length), text]));
    },
  };
}

/** The files of `base`; paths for which `take` returns true come from `overlay`, or are absent as there. */
export function compose(
  base: Project,
  overlay: Project,
  take: (path: string) => boolean,
): readonly TreeFile[] {
  return [
    ...[...base.files.values()].filter(({ path }) => !take(path)),
    ...[...overlay.files.values()].filter(({ path }) => take(path)),
  ];
}

/** The changed links and submodules that lead out of the committed tree. */
export async function leavingLinks(
  repository: Repository,
  head: Project,
  changed: readonly string[],
): Promise<readonly string[]> {
  const outside = new Set(await outsideLinks(repository, head.commit));
  return changed.filter((path) => outside.has(path) || head.files.get(path)?.mode === submoduleMode);
}
