import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { readBlobs } from "./objects/contents.ts";
import type { Repository } from "./repository.ts";
import { listFiles, submoduleMode, symlinkMode, type TreeFile } from "./objects/tree.ts";

/**
 * Symlinks of a commit whose end is not in it: they lead out of its tree, directly or through other links of it, into a git
 * directory, or to a place that the commit does not hold, such as installed packages or what a build makes.
 */
export async function outsideLinks(repository: Repository, commit: string): Promise<readonly string[]> {
  const files = await listFiles(repository, commit);
  const targets = await targetsOf(repository, files);
  if (targets.size === 0) return [];
  const held = new Set([""]);
  for (const { path } of files) {
    held.add(path);
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
      held.add(path.slice(0, slash));
  }
  const submodules = files.filter(({ mode }) => mode === submoduleMode).map(({ path }) => `${path}/`);
  return [...targets.keys()].filter((path) => {
    const end = endOf(path, (link) => targets.get(link));
    if (end.type !== "at") return end.type === "out";
    // Which commit of a submodule is meant is in this one.
    return !held.has(end.path) && !submodules.some((folder) => end.path.startsWith(folder));
  });
}

/** The symbolic link by which a path leaves the tree that it lies in, null where it stays inside. */
export type LinkOut = (path: string) => string | null;

/** By the links of a commit. */
export async function linkOutOf(repository: Repository, commit: string): Promise<LinkOut> {
  const targets = await targetsIn(repository, commit);
  return (path) => firstOut(path, (link) => targets.get(link));
}

/** By the links that lie in a worktree at the moment of asking, those that nobody committed too. */
export function linkOutIn(worktree: string): LinkOut {
  const target = (link: string): string | undefined => {
    // The runtime has put it there, for the project's own tools.
    if (link === "node_modules") return undefined;
    try {
      return readlinkSync(join(worktree, link));
    } catch {
      // No link.
      return undefined;
    }
  };
  return (path) => firstOut(path, target);
}

/** Where the link at a path points to; undefined where none is. */
type Target = (path: string) => string | undefined;

async function targetsIn(repository: Repository, commit: string): Promise<ReadonlyMap<string, string>> {
  return targetsOf(repository, await listFiles(repository, commit));
}

async function targetsOf(
  repository: Repository,
  files: readonly TreeFile[],
): Promise<ReadonlyMap<string, string>> {
  const links = files.filter(({ mode }) => mode === symlinkMode);
  const blobs = await readBlobs(
    repository,
    links.map(({ blob }) => blob),
  );
  return new Map(links.map(({ path, blob }) => [path, blobs.get(blob)?.toString("utf8") ?? ""]));
}

function firstOut(path: string, target: Target): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const ways = parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
  return ways.find((way) => endOf(way, target).type === "out") ?? null;
}

const mostHops = 40;

/** Where a path leads; `loop` where it leads nowhere, and so not out either. */
type End = { readonly type: "at"; readonly path: string } | { readonly type: "out" | "loop" };

/** Follows a path component by component, as the kernel does. */
function endOf(path: string, targetOf: Target): End {
  const rest = path.split("/");
  const reached: string[] = [];
  let hops = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (reached.pop() === undefined) return { type: "out" };
      continue;
    }
    if (part.toLowerCase() === ".git") return { type: "out" };
    const target = targetOf([...reached, part].join("/"));
    if (target === undefined) {
      reached.push(part);
      continue;
    }
    if (target.startsWith("/")) return { type: "out" };
    hops += 1;
    if (hops > mostHops) return { type: "loop" };
    rest.unshift(...target.split("/"));
  }
  return { type: "at", path: reached.join("/") };
}
