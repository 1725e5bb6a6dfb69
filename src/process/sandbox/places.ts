/** Rules that make a path visible within hidden folders: its real path, and its name if that is a link. */
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { isAtOrBelow, isBelow, type Rule } from "./confinement.ts";

type Access = "readable" | "writable";

/** Empty for a missing or relative path, and for a path that would show a whole hidden folder. */
export async function rulesToShow(
  path: string,
  how: Access,
  hidden: readonly string[],
): Promise<readonly Rule[]> {
  if (!isAbsolute(path)) return [];
  const real = await realpath(path).catch(() => null); // missing
  if (real === null || (how === "readable" && hidden.some((place) => isAtOrBelow(place, real)))) return [];
  const isHidden = (place: string) => hidden.some((folder) => isBelow(place, folder));
  return [
    ...(how === "writable" || isHidden(real) ? [{ type: how, at: real }] : []),
    ...(real !== path && isHidden(path) ? [{ type: "link" as const, at: path, to: real }] : []),
  ];
}

/** Folders below the home in which tool managers install. */
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

/** Rules that the programs on a PATH need to start. */
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

/** Rules that one program needs to start: for its name and its installation. */
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

/** The installation of a program: its `node_modules`, its prefix, else only the file. @param real path of the program */
export async function installOf(real: string): Promise<string> {
  const packages = real.indexOf(`${sep}node_modules${sep}`);
  if (packages !== -1) return real.slice(0, packages + `${sep}node_modules`.length);
  const [own, prefix] = [dirname(real), dirname(dirname(real))];
  // A script that starts a package beside it.
  if (await holds(own, "node_modules")) return join(own, "node_modules");
  const isPrefix = /[/]s?bin$/u.test(own) && !/[/]\.local$/u.test(prefix) && (await holds(prefix, "lib"));
  return isPrefix ? prefix : real;
}

async function holds(folder: string, name: string): Promise<boolean> {
  const names: readonly string[] = await readdir(folder).catch(() => []); // unreadable
  return names.includes(name);
}

async function executable(file: string): Promise<string | null> {
  try {
    await access(file, constants.X_OK);
    const real = await realpath(file);
    return (await stat(real)).isFile() ? real : null;
  } catch {
    return null; // missing, or not executable for this user
  }
}

/** The real paths of the existing folders, without the root folder. */
export async function hideableFolders(folders: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(
    folders.map(async (folder) => {
      const place = await realpath(folder).catch(() => "/"); // missing: nothing to hide
      return (await stat(place)).isDirectory() ? place : "/";
    }),
  );
  return [...new Set(real)].filter((place) => place !== "/").toSorted();
}
