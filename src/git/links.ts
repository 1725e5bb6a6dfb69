import { readBlobs } from "./contents.ts";
import type { Repository } from "./repository.ts";
import { listFiles, symlinkMode } from "./tree.ts";

/** Symlinks of a commit that lead out of its tree, directly or through other links of it, or into a git directory. */
export async function outsideLinks(repository: Repository, commit: string): Promise<readonly string[]> {
  const links = (await listFiles(repository, commit)).filter(({ mode }) => mode === symlinkMode);
  const blobs = await readBlobs(
    repository,
    links.map(({ blob }) => blob),
  );
  const targets = new Map(links.map(({ path, blob }) => [path, blobs.get(blob)?.toString("utf8") ?? ""]));
  return [...targets.keys()].filter((path) => leaves(path, targets));
}

const mostHops = 40;

/** Follows a path component by component, as the kernel does. A loop cannot be followed anywhere, so it does not leave. */
function leaves(path: string, targets: ReadonlyMap<string, string>): boolean {
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
    const target = targets.get([...reached, part].join("/"));
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
