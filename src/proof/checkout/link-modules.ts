/** Links the main checkout's dependencies into a clean checkout, for the root and each workspace package. */
import { chmod, mkdir, readdir, readlink, realpath, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Repository } from "../../git/repository.ts";
import type { TreeFile } from "../../git/objects/tree.ts";

export function isModule(path: string): boolean {
  return path.split("/").includes("node_modules");
}

/** The outermost `node_modules` of a path, with a slash: `packages/a/node_modules/`; null where it has none. */
export function moduleFolder(path: string): string | null {
  return /^(?:.*?\/)?node_modules\//.exec(path)?.[0] ?? null;
}

/**
 * Each package is linked, not the whole folder: what tools write into `node_modules` stays in the clean checkout, and no
 * cache there outlives it.
 * @param root of the clean checkout
 * @param committed `node_modules` folders in the commit, which stay unchanged
 * @returns absolute paths outside the clean checkout to which the links lead
 */
export async function linkModules(
  root: string,
  files: readonly TreeFile[],
  { repository, committed }: { readonly repository: Repository; readonly committed: ReadonlySet<string> },
): Promise<readonly string[]> {
  const outside = new Set<string>();
  const packages = files
    .filter(({ path }) => /(^|\/)package\.json$/.test(path) && !isModule(path))
    .map(({ path }) => dirname(path));
  for (const folder of new Set([".", ...packages])) {
    if (committed.has(join(folder, "node_modules/"))) continue;
    const place = await installed(repository, folder);
    if (place === null) continue;
    const entries = await entriesOf(place);
    await linkEach(entries, root, join(root, folder, "node_modules"));
    outside.add(place.path);
    for (const entry of entries) if (entry.inside === null) addOutside(outside, entry.target);
  }
  return [...outside];
}

/** A linked project finds its own packages in the folders around it, too. */
function addOutside(outside: Set<string>, target: string): void {
  if ([...outside].some((folder) => target === folder || target.startsWith(folder + sep))) return;
  outside.add(target);
  const parts = target.split(sep);
  for (let depth = parts.length - 1; depth > 1; depth -= 1)
    outside.add([...parts.slice(0, depth), "node_modules"].join(sep));
}

interface InstalledModules {
  /** Path of node_modules without symbolic links. */
  readonly path: string;
  /** The checkouts that its links may point into, without symbolic links. */
  readonly checkouts: readonly string[];
}

async function installed({ checkout, root }: Repository, folder: string): Promise<InstalledModules | null> {
  const all = [...new Set([checkout, root])];
  for (const one of all) {
    const path = await realpath(join(one, folder, "node_modules")).catch(() => null); // not installed there
    if (path !== null) return { path, checkouts: await Promise.all(all.map((other) => realpath(other))) };
  }
  return null;
}

interface Entry {
  /** `name`, `@scope/name` or `.bin/name`. */
  readonly name: string;
  readonly target: string;
  /** The target's path in the checkout, outside of node_modules; empty for the checkout itself. */
  readonly inside: string | null;
}

async function entriesOf({ path, checkouts }: InstalledModules): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const look = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name);
      const isGroup = folder === "" && (entry.name.startsWith("@") || entry.name === ".bin");
      if (caches.has(name)) continue;
      if (entry.isDirectory() && isGroup) await look(name);
      else if (!entry.isSymbolicLink()) found.push({ name, target: join(path, name), inside: null });
      else {
        const target = await targetOf(join(path, name));
        if (target !== null) found.push({ name, target, inside: insideOf(target, checkouts) });
      }
    }
  };
  await look("");
  return found;
}

/** The final target of a link. A target that is not built yet is resolved by its folder. Null for a broken link. */
async function targetOf(link: string): Promise<string | null> {
  const target = await realpath(link).catch(() => null); // a broken link
  if (target !== null) return target;
  const first = resolve(dirname(link), await readlink(link));
  const parts = first.split(sep);
  for (let depth = parts.length - 1; depth > 1; depth -= 1) {
    const folder = await realpath(parts.slice(0, depth).join(sep)).catch(() => null); // missing too
    if (folder !== null) return isModule(folder) ? null : join(folder, ...parts.slice(depth));
  }
  return null;
}

function insideOf(target: string, checkouts: readonly string[]): string | null {
  for (const checkout of checkouts) {
    const way = relative(checkout, target).split(sep).join("/");
    if (way !== ".." && !way.startsWith("../") && !isModule(way)) return way;
  }
  return null;
}

async function linkEach(entries: readonly Entry[], root: string, target: string): Promise<void> {
  const folders = new Set([target, ...entries.map(({ name }) => dirname(join(target, name)))]);
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all(entries.map((entry) => linkEntry(entry, root, target)));
}

async function linkEntry(
  { name, target: outside, inside }: Entry,
  root: string,
  target: string,
): Promise<void> {
  // Links into the main checkout point to the clean one instead: the main checkout may contain uncommitted work.
  await symlink(inside === null ? outside : join(root, inside), join(target, name));
  // An installation makes programs executable, whatever mode the commit has; one that is not built yet has no mode.
  if (inside !== null && name.startsWith(".bin/"))
    await chmod(join(root, inside), 0o755).catch(() => undefined);
}

/** Folders in `node_modules` in which tools keep results between runs. */
const caches = new Set([".cache", ".vite", ".vite-temp", ".vitest"]);
