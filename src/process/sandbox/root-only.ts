/**
 * What root alone may read or connect to, outside of the places that are hidden anyway. A confined agent of root's is
 * root to the file system still, since its files have to be root's; so each of these is closed to it by a rule (ADR 0011).
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { isAtOrBelow, isBelow, type Rule } from "./confinement.ts";

export interface Search {
  /** Where the search begins: `/`, but in a test. */
  readonly root: string;
  /** Places that are hidden: nothing is looked for in them. */
  readonly hidden: readonly string[];
  /** Folders of installed programs, which stay visible where there are too many files to look at each. */
  readonly installed: readonly string[];
  /** Files that are looked at, at most; folders that are not reached are hidden. */
  readonly maxFiles: number;
}

/** Packages of the system, which everybody may read. */
const packages = ["bin", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "sbin", "snap", "usr"];
/** Made anew in the sandbox, or read-only there; `/proc` is looked at by its own files alone. */
const kernel = ["dev", "proc", "sys"];
const system = ["etc", "opt", "var"];
const maxUnseen = 100;
const maxAgeMs = 60_000;
let latest: { readonly at: number; readonly key: string; readonly found: readonly Rule[] } | null = null;

/** None for another user than root, to whom the kernel refuses these. Searched again after a minute. */
export function closedToAgents(hidden: readonly string[], path: string): readonly Rule[] {
  if (process.getuid?.() !== 0) return [];
  const key = [path, ...hidden].join("\n");
  const isFresh = latest !== null && latest.key === key && systemClock.now() - latest.at < maxAgeMs;
  if (latest === null || !isFresh) {
    const installed = path.split(delimiter).map(prefixOf);
    const found = rootOnlyRules({ root: "/", hidden, installed, maxFiles: 8000 });
    latest = { at: systemClock.now(), key, found };
  }
  // bubblewrap does not start where it should cover what has gone.
  return latest.found.filter(({ at }) => lookAt(at) !== null);
}

/** `/opt/go` for `/opt/go/bin`. */
function prefixOf(folder: string): string {
  return /[/]s?bin[/]?$/u.test(folder) ? dirname(folder) : folder;
}

/** Breadth first: the folders of the system, then the others, so that those near the root are all looked at. */
export function rootOnlyRules(search: Search): readonly Rule[] {
  const { root, hidden, maxFiles } = search;
  const found: Rule[] = [];
  const waiting: string[] = [];
  let [looked, read] = [0, 0];
  const look = (folder: string, wanted: (name: string, isFolder: boolean) => boolean) => {
    for (const { name, isFolder } of entriesOf(folder)) {
      const at = join(folder, name);
      if (hidden.includes(at) || !wanted(name, isFolder)) continue;
      looked += 1;
      const stats = lookAt(at);
      if (stats !== null && isRootOnly(stats)) found.push({ type: isFolder ? "hidden" : "closed", at });
      else if (stats !== null && isFolder) waiting.push(at);
    }
  };
  const lookInto = () => {
    for (; read < waiting.length && looked < maxFiles; read++) look(waiting[read] ?? "", () => true);
  };
  look(join(root, "proc"), (_, isFolder) => !isFolder);
  look(join(root, "usr"), (name) => name === "local");
  look(root, (name) => system.includes(name));
  lookInto();
  look(root, (name) => ![...system, ...packages, ...kernel].includes(name));
  lookInto();
  return [...found, ...hideUnseen(waiting.slice(read), search)];
}

/** Hides what was not looked at, by folders so far from the root as keeps their number small; installed programs stay. */
function hideUnseen(folders: readonly string[], { root, installed }: Search): readonly Rule[] {
  const unseen = folders.filter((folder) => !installed.some((place) => isAtOrBelow(folder, place)));
  const cut = (depth: number) => [
    ...new Set(unseen.map((folder) => join(root, ...relative(root, folder).split(sep).slice(0, depth)))),
  ];
  const tops = [cut(3), cut(2)].find((found) => found.length <= maxUnseen) ?? cut(1);
  const kept = installed.filter((place) => tops.some((top) => isBelow(place, top)));
  return [
    ...tops.map((at) => ({ type: "hidden" as const, at })),
    ...kept.map((at) => ({ type: "readable" as const, at })),
  ];
}

function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return []; // gone by now, or no folder of this system
  }
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // gone by now
  }
}

/** Root may by being root or of its group, and others may not: list and enter, connect, read. */
function isRootOnly(stats: Stats): boolean {
  const others = stats.isDirectory() ? 0o5 : stats.isSocket() ? 0o2 : 0o4;
  return (stats.uid === 0 || stats.gid === 0) && (stats.mode & others) !== others;
}
