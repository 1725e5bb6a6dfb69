/** Paths that no commit of an agent could hold, however they are written: known before anybody writes them. */
import { filtersAt, isAttributesFile } from "./filters.ts";
import { ignoreRules } from "./ignored.ts";
import { readable } from "../objects/raw-paths.ts";
import type { Repository } from "../repository.ts";
import { withScratch } from "../scratch.ts";
import { trackedIn } from "./tracked.ts";

/** Path -> one clause that says why: the line that ignores a new file, or the filter that git stores it through. */
export async function uncommittable(
  repository: Repository,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const raw = [...new Set(paths.filter(isRelative))].map((path) => Buffer.from(path).toString("latin1"));
  const found = new Map<string, string>();
  if (raw.length === 0) return found;
  await withScratch(async (dir) => {
    const tracked = await trackedIn(repository, commit);
    const fresh = raw.filter((path) => !tracked.files.has(path));
    const rules = await ignoreRules(repository, { files: tracked.ignoreFiles, dir }).rulesFor(fresh);
    for (const [path, { file, line, pattern }] of rules)
      found.set(readable(path), `${file}:${line} (${pattern}) ignores it`);
    const hasFiles = [...tracked.files.keys()].some(isAttributesFile);
    for (const [path, filter] of await filtersAt(repository, raw, { base: commit, hasFiles, dir }))
      found.set(
        readable(path),
        `git stores it through the filter ${filter}, and only its owner may change it`,
      );
  });
  return found;
}

/** Others are in no commit at all, and git would refuse the question. */
function isRelative(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !path.endsWith("/") && !path.split("/").includes("..");
}
