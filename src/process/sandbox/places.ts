/** Which rules show a path of this machine in places that are hidden: where it really lies, and by the name it is called by. */
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isAtOrBelow, isBelow, type Rule } from "./confinement.ts";

type Access = "readable" | "writable";

/** Nothing for a path that is not there, that is no path of its own, or that would show a whole hidden place. */
export async function rulesToShow(
  path: string,
  how: Access,
  hidden: readonly string[],
): Promise<readonly Rule[]> {
  if (!isAbsolute(path)) return [];
  const real = await realpath(path).catch(() => null); // not there
  if (real === null || (how === "readable" && hidden.some((place) => isAtOrBelow(place, real)))) return [];
  const isHidden = (place: string) => hidden.some((folder) => isBelow(place, folder));
  return [
    ...(how === "writable" || isHidden(real) ? [{ type: how, at: real }] : []),
    ...(real !== path && isHidden(path) ? [{ type: "link" as const, at: path, to: real }] : []),
  ];
}

/** Folders in which tools lie as a whole where they are installed for one user, below the home. */
const toolFolders = [
  ".asdf",
  ".bun/bin",
  ".cargo/bin",
  ".local/share/mise",
  ".nvm",
  ".pyenv",
  ".rustup",
  ".volta",
];

/** What must be seen for the programs on a PATH to start. */
export async function toolsOn(
  path: string,
  { home, hidden }: { readonly home: string; readonly hidden: readonly string[] },
): Promise<readonly Rule[]> {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const known = [...toolFolders.map((name) => join(home, name)), "/home/linuxbrew/.linuxbrew"];
  const rules = await Promise.all(
    [...folders, ...known].map((folder) => rulesToShow(folder, "readable", hidden)),
  );
  return rules.flat();
}

/** What must be seen for one program to start: where it is called and where it is installed. */
export async function programOn(
  file: string,
  { path, hidden }: { readonly path: string; readonly hidden: readonly string[] },
): Promise<readonly Rule[]> {
  const names = file.includes(sep) ? [file] : path.split(delimiter).map((folder) => join(folder, file));
  for (const name of names) {
    const real = await executable(name);
    if (real === null) continue;
    return [
      ...(await rulesToShow(name, "readable", hidden)),
      ...(await rulesToShow(await installOf(real), "readable", hidden)),
    ];
  }
  return [];
}

/** A folder of packages as a whole, since they need each other; a folder made for one program; else the file alone. */
export async function installOf(real: string): Promise<string> {
  const packages = real.indexOf(`${sep}node_modules${sep}`);
  if (packages !== -1) return real.slice(0, packages + `${sep}node_modules`.length);
  const [own, prefix] = [dirname(real), dirname(dirname(real))];
  // A script that starts what lies in the packages beside it.
  if (await holds(own, "node_modules")) return join(own, "node_modules");
  const isPrefix = /[/]s?bin$/u.test(own) && !/[/]\.local$/u.test(prefix) && (await holds(prefix, "lib"));
  return isPrefix ? prefix : real;
}

async function holds(folder: string, name: string): Promise<boolean> {
  const names: readonly string[] = await readdir(folder).catch(() => []); // not ours to read
  return names.includes(name);
}

async function executable(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    const real = await realpath(file);
    return (await stat(real)).isFile() ? real : null;
  } catch {
    return null; // not there, or not ours to start
  }
}

/** Those of the folders that are there, by their real paths. What is the whole machine cannot be hidden. */
export async function hideableFolders(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(
    folders.map(async (folder) => {
      const place = await realpath(folder).catch(() => "/"); // not there: nothing to hide
      return (await stat(place)).isDirectory() ? place : "/";
    }),
  );
  return [...new Set(real)].filter((place) => place !== "/").toSorted();
}
