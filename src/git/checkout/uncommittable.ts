/** Finds paths that an agent's commit can never include, before an agent writes them. */
import { filtersAt, isAttributesFile } from "./filters.ts";
import { ignoreRules } from "./ignore-rules.ts";
import { displayPath } from "../objects/raw-paths.ts";
import type { Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";
import { readBaseTree } from "./base-tree.ts";

/** Path -> the reason as one clause: the rule that ignores a new file, or the file's filter. */
export async function uncommittable(
  repository: Repository,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const raw = [...new Set(paths.filter(isRelative))].map((path) => Buffer.from(path).toString("latin1"));
  const found = new Map<string, string>();
  if (raw.length === 0) return found;
  await withScratch(async (dir) => {
    const tracked = await readBaseTree(repository, commit);
    const fresh = raw.filter((path) => !tracked.files.has(path));
    const rules = await ignoreRules(repository, { files: tracked.ignoreFiles, dir }).rulesFor(fresh);
    for (const [path, { file, line, pattern }] of rules)
      found.set(displayPath(path), `${file}:${line} (${pattern}) ignores it`);
    const hasFiles = [...tracked.files.keys()].some(isAttributesFile);
    for (const [path, filter] of await filtersAt(repository, raw, { base: commit, hasFiles, dir }))
      found.set(
        displayPath(path),
        `git stores it through the filter ${filter}, and only its owner may change it`,
      );
  });
  return found;
}

/** Other paths are never in a commit, and git would refuse them. */
function isRelative(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.endsWith("/") && !path.split("/").includes("..");
}
