/**
 * Finds what only root may read or connect to, outside the hidden folders. A confined agent of root is still root to the file
 * system, since it must own its files; so a rule closes each of these paths (ADR 0011).
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { isAtOrBelow, isBelow, type Rule } from "./confinement.ts";

export interface Search {
  /** Start of the search: `/`, except in tests. */
  readonly root: string;
  /** Hidden folders, which are not searched. */
  readonly hidden: readonly string[];
  /** Folders of installed programs, which stay visible even if they were not searched. */
  readonly installed: readonly string[];
  /** Maximum number of checked files; folders that were not reached are hidden. */
  readonly maxFiles: number;
}

/** System packages, which every user may read. */
const packages = ["bin", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "sbin", "snap", "usr"];
/** New or read-only in the sandbox; in `/proc` only the top-level files are checked. */
const kernel = ["dev", "proc", "sys"];
const system = ["etc", "opt", "var"];
const maxUnseen = 100;
const maxAgeMs = 60_000;
let latest: { readonly at: number; readonly key: string; readonly found: readonly Rule[] } | null = null;

/** Empty for users other than root: the kernel refuses these paths. Cached for one minute. */
export function closedToAgents(hidden: readonly string[], path: string): readonly Rule[] {
  if (process.getuid?.() !== 0) return [];
  const key = [path, ...hidden].join("\n");
  const isFresh = latest !== null && latest.key === key && systemClock.now() - latest.at < maxAgeMs;
  if (latest === null || !isFresh) {
    const installed = path.split(delimiter).map(prefixOf);
    const found = rootOnlyRules({ root: "/", hidden, installed, maxFiles: 8000 });
    latest = { at: systemClock.now(), key, found };
  }
  // bubblewrap fails for a missing path.
  return latest.found.filter(({ at }) => lookAt(at) !== null);
}

/** `/opt/go/bin` becomes `/opt/go`. */
function prefixOf(folder: string): string {
  return /[/]s?bin[/]?$/u.test(folder) ? dirname(folder) : folder;
}

/** Searches breadth first: system folders, then others, so that all folders near the root are checked. */
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

/** Hides unsearched folders, by parents if they are too many; installed programs stay visible. */
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
    return []; // removed, or not a readable folder
  }
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null; // removed
  }
}

/** Whether root or its group owns the path, and others may not list, connect to or read it. */
function isRootOnly(stats: Stats): boolean {
  const others = stats.isDirectory() ? 0o5 : stats.isSocket() ? 0o2 : 0o4;
  return (stats.uid === 0 || stats.gid === 0) && (stats.mode & others) !== others;
}
