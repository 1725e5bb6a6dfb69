/** Lists files that an agent wrote and that are in no commit, with the reason, for agents and people. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../git/objects/snapshot.ts";
import { uncommittable } from "../../git/checkout/uncommittable.ts";
import { isInSource, kindOf } from "../../source/paths.ts";
import type { EventOf } from "../../log/run-event.ts";
import type { RunContext } from "../../run/context.ts";
import type { Workspace } from "../../family/work.ts";

export type LeftOutFile = EventOf<"files.left_out">["files"][number];

/** Tests, and files in the folders of source, that an ignore rule excludes. Other ignored files are output of tools. */
export async function ignoredWork(
  { repository, settings }: RunContext,
  { path, commit }: Workspace,
  { ignored }: Snapshot,
): Promise<readonly LeftOutFile[]> {
  const paths = (await Promise.all(ignored.map((entry) => filesOf(path, entry)))).flat();
  const isNamed = (name: string) =>
    kindOf(name, settings.paths) === "test" || isInSource(name, settings.paths);
  const work = paths.filter((name) => isNamed(name));
  const why = await uncommittable(repository, { commit, paths: work.slice(0, maxNamed) });
  return [...why].map(([name, clause]) => ({ path: name, reason: "ignored", why: clause }));
}

const maxNamed = 20;
const maxEntries = 1_000;

/** The entry, or the files below it if it is a folder. */
async function filesOf(workspace: string, entry: string): Promise<readonly string[]> {
  if (!entry.endsWith("/")) return [entry];
  const files: string[] = [];
  const folders = [entry.slice(0, -1)];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined && seen < maxEntries; folder = folders.pop()) {
    // An unreadable folder has no files to list.
    for (const found of await readdir(join(workspace, folder), { withFileTypes: true }).catch(() => [])) {
      seen += 1;
      if (found.isDirectory()) folders.push(`${folder}/${found.name}`);
      else if (found.isFile()) files.push(`${folder}/${found.name}`);
    }
  }
  return files;
}
