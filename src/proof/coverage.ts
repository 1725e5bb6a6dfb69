/** Reads V8's coverage of a test run and reports the changed lines that no test executed. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { shortList } from "../gates/check.ts";
import { unexecutedLines, type CountedRange } from "../gates/suite/executed-lines.ts";
import type { Project } from "./project/project.ts";
import { parseJson } from "../lib/json.ts";
import { readPlainFile } from "../lib/plain-file.ts";

const Coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({
          ranges: z.array(z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() })),
        }),
      ),
    }),
  ),
});

export interface CoverageRequest {
  /** V8's folder for each run; null for a runner whose counts cannot be read. */
  readonly folders: readonly (string | null)[];
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly before: Project;
  readonly after: Project;
  /** Changed source files. */
  readonly changed: readonly string[];
}

/** As text for the finding and the record: `none`, `2 (src/a.js:3, src/a.js:4)`, `not measured (…)`. */
export async function unexecutedText({
  folders,
  root,
  before,
  after,
  changed,
}: CoverageRequest): Promise<string> {
  const counted = folders.filter((folder) => folder !== null);
  if (counted.length < folders.length) return "not measured (this runner transforms the source)";
  const runs = await readCounts(counted, root);
  if (runs === null) return "not measured (the run left no counts)";
  const scripts = changed.filter((path) => /\.[cm]?js$/.test(path));
  if (scripts.length < changed.length) return "not measured (some changed files are no plain scripts)";
  const [old, now] = await Promise.all([before.texts(scripts), after.texts(scripts)]);
  const lines = [...now].flatMap(([path, text]) =>
    unexecutedLines({ before: old.get(path) ?? null, after: text, runs: runs.get(path) ?? [] }).map(
      (line) => `${path}:${line}`,
    ),
  );
  return lines.length === 0 ? "none" : `${lines.length} (${shortList(lines, 20)})`;
}

/** path -> ranges of each process that loaded it. */
async function readCounts(
  folders: readonly string[],
  root: string,
): Promise<ReadonlyMap<string, readonly (readonly CountedRange[])[]> | null> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(folder).catch(() => []); // no process wrote one
    return names.map((name) => join(folder, name));
  });
  const files = (await Promise.all(lists)).flat();
  const found = new Map<string, (readonly CountedRange[])[]>();
  for (const file of files) {
    const parsed = Coverage.safeParse(parseJson((await readPlainFile(file)) ?? ""));
    if (!parsed.success) return null;
    for (const { url, functions } of parsed.data.result) {
      const path = url.startsWith("file://") ? fileURLToPath(url) : "";
      if (!path.startsWith(`${root}/`)) continue;
      const inside = path.slice(root.length + 1);
      found.set(inside, [...(found.get(inside) ?? []), functions.flatMap(({ ranges }) => ranges)]);
    }
  }
  return files.length === 0 ? null : found;
}

/** The number of lines in such a text; the text itself where nothing was measured. */
export function unexecutedCount(words: string): number | string {
  if (words === "none") return 0;
  const [count] = /^\d+(?= \()/.exec(words) ?? [];
  return count === undefined ? words : Number(count);
}
