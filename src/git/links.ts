import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { readBlobs } from "./contents.ts";
import type { Repository } from "./repository.ts";
import { listFiles, symlinkMode } from "./tree.ts";

/** Symlinks of a commit that lead out of its tree, directly or through other links of it, or into a git directory. */
export async function outsideLinks(repository: Repository, commit: string): Promise<readonly string[]> {
  const targets = await targetsIn(repository, commit);
  return [...targets.keys()].filter((path) => leaves(path, (link) => targets.get(link)));
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
  const links = (await listFiles(repository, commit)).filter(({ mode }) => mode === symlinkMode);
  const blobs = await readBlobs(
    repository,
    links.map(({ blob }) => blob),
  );
  return new Map(links.map(({ path, blob }) => [path, blobs.get(blob)?.toString("utf8") ?? ""]));
}

function firstOut(path: string, target: Target): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const ways = parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
  return ways.find((way) => leaves(way, target)) ?? null;
}

const mostHops = 40;

/** Follows a path component by component, as the kernel does. A loop cannot be followed anywhere, so it does not leave. */
function leaves(path: string, targetOf: Target): boolean {
  const rest = path.split("/");
  const reached: string[] = [];
  let hops = 0;
  for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (reached.pop() === undefined) return true;
      continue;
    }
    if (part.toLowerCase() === ".git") return true;
    const target = targetOf([...reached, part].join("/"));
    if (target === undefined) {
      reached.push(part);
      continue;
    }
    if (target.startsWith("/")) return true;
    hops += 1;
    if (hops > mostHops) return false;
    rest.unshift(...target.split("/"));
  }
  return false;
}
