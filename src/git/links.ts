import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { readBlobs } from "./objects/contents.ts";
import type { Repository } from "./repository.ts";
import { listFiles, submoduleMode, symlinkMode, type TreeFile } from "./objects/tree.ts";

/**
 * Symlinks of a commit whose target is not in it: they lead out of its tree (directly or through other links), into a git
 * directory, or to a missing path, such as installed packages or build output.
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
    // The commit of a submodule is part of this commit.
    return !held.has(end.path) && !submodules.some((folder) => end.path.startsWith(folder));
  });
}

/** Returns the symlink by which a path leaves its tree, or null. */
export type FindOutsideLink = (path: string) => string | null;

/** Uses the links of a commit. */
export async function commitLinkFinder(repository: Repository, commit: string): Promise<FindOutsideLink> {
  const targets = await targetsIn(repository, commit);
  return (path) => firstOutsideLink(path, (link) => targets.get(link));
}

/** Uses the current links of a worktree, committed or not. */
export function worktreeLinkFinder(worktree: string): FindOutsideLink {
  const target = (link: string): string | undefined => {
    // The runtime created this link, for the project's tools.
    if (link === "node_modules") return undefined;
    try {
      return readlinkSync(join(worktree, link));
    } catch {
      // Not a link.
      return undefined;
    }
  };
  return (path) => firstOutsideLink(path, target);
}

/** The target of the link at a path; undefined if it is not a link. */
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

function firstOutsideLink(path: string, target: Target): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const ways = parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
  return ways.find((way) => endOf(way, target).type === "out") ?? null;
}

const maxHops = 40;

/** Where a path leads; a `loop` leads nowhere, so it does not lead out. */
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
    if (hops > maxHops) return { type: "loop" };
    rest.unshift(...target.split("/"));
  }
  return { type: "at", path: reached.join("/") };
}
