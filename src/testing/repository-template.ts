/** Caches the `.git` of new repositories in memory, so that the next one with the same files needs no git process. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Template {
  readonly folders: readonly string[];
  readonly files: readonly (readonly [path: string, content: Buffer])[];
}

const templates = new Map<string, Promise<Template>>();
/** Limit of the cache; each entry has some ten kilobytes. */
const maxTemplates = 50;

/**
 * Fills the `.git` of a folder: by `make` for a new key, else with the cached content.
 * @returns whether it was copied; then the index does not match the files' times
 */
export async function fillGitFolder(
  folder: string,
  key: string,
  make: () => Promise<unknown>,
): Promise<boolean> {
  const known = templates.get(key);
  if (known !== undefined) {
    await write(folder, await known);
    return true;
  }
  await make();
  const first = templates.keys().next();
  if (templates.size >= maxTemplates && first.done !== true) templates.delete(first.value);
  const made = read(folder);
  templates.set(key, made);
  await made;
  return false;
}

async function read(folder: string): Promise<Template> {
  const entries = await readdir(join(folder, ".git"), { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]) =>
    join(entry.parentPath, entry.name).slice(folder.length + 1);
  const files = entries.filter((entry) => entry.isFile()).map(pathOf);
  const read = async (path: string) => [path, await readFile(join(folder, path))] as const;
  return {
    // Parents come before their content.
    folders: [".git", ...entries.filter((entry) => entry.isDirectory()).map(pathOf)].toSorted(),
    files: await Promise.all(files.map(read)),
  };
}

async function write(folder: string, { folders, files }: Template): Promise<void> {
  for (const path of folders) await mkdir(join(folder, path), { recursive: true });
  await Promise.all(files.map(([path, content]) => writeFile(join(folder, path), content)));
}
