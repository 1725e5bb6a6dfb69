/** The dependencies of the main checkout in a clean one, for the root and for each package of a workspace. */
import { mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Repository } from "../../git/repository.ts";
import type { TreeFile } from "../../git/tree.ts";

export function isModule(path: string): boolean {
  return path.split("/").includes("node_modules");
}

export async function linkModules(
  root: string,
  files: readonly TreeFile[],
  repository: Repository,
): Promise<void> {
  const packages = files
    .filter(({ path }) => /(^|\/)package\.json$/.test(path) && !isModule(path))
    .map(({ path }) => dirname(path));
  const members = new Set(packages.filter((folder) => folder !== "."));
  for (const folder of new Set([".", ...packages])) {
    const place = await installed(repository, folder);
    if (place === null) continue;
    const target = join(root, folder, "node_modules");
    const entries = members.size === 0 ? [] : await entriesOf(place);
    // A member of the workspace is taken from the commit: in the main checkout it lies as somebody is working on it.
    const own = entries.filter(({ inside }) => inside !== null && members.has(inside));
    if (own.length === 0) await symlink(place.path, target);
    else await linkEach(entries, { root, target, members });
  }
}

interface Place {
  /** Of node_modules, free of symbolic links. */
  readonly path: string;
  /** The checkout that it serves, likewise. */
  readonly checkout: string;
}

async function installed(repository: Repository, folder: string): Promise<Place | null> {
  for (const checkout of new Set([repository.checkout, repository.root])) {
    const path = await realpath(join(checkout, folder, "node_modules")).catch(() => null); // not installed there
    if (path !== null) return { path, checkout: await realpath(checkout) };
  }
  return null;
}

interface Entry {
  /** `name` or `@scope/name`. */
  readonly name: string;
  readonly target: string;
  /** The folder of the checkout that it leads to, outside of every node_modules. */
  readonly inside: string | null;
}

async function entriesOf({ path, checkout }: Place): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const look = async (name: string): Promise<void> => {
    const target = await realpath(join(path, name)).catch(() => null); // a link to nothing
    if (target === null) return;
    const way = relative(checkout, target).split(sep).join("/");
    found.push({ name, target, inside: way.startsWith("../") || isModule(way) ? null : way });
  };
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!entry.isSymbolicLink() && entry.isDirectory() && entry.name.startsWith("@"))
      for (const name of await readdir(join(path, entry.name))) await look(`${entry.name}/${name}`);
    else await look(entry.name);
  }
  return found;
}

interface Linking {
  readonly root: string;
  readonly target: string;
  readonly members: ReadonlySet<string>;
}

async function linkEach(entries: readonly Entry[], { root, target, members }: Linking): Promise<void> {
  for (const { name, target: outside, inside } of entries) {
    const link = join(target, name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(inside !== null && members.has(inside) ? join(root, inside) : outside, link);
  }
}
