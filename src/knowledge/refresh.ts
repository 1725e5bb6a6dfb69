/** Brings what is known of the documents up to the files as they are now, reading only those that changed. */
import { lstat, readFile, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { analyse, type Analysis } from "./analysis.ts";
import type { Cache, Kept } from "./cache.ts";
import { vocabularyOf, type Vocabulary } from "./vocabulary.ts";

export interface Documents {
  readonly vocabulary: Vocabulary;
  /** Sorted by path. */
  readonly files: readonly { readonly path: string; readonly analysis: Analysis }[];
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

export interface Folder {
  readonly root: string;
  /** Relative to the root. */
  readonly paths: readonly string[];
  readonly clock: Clock;
}

const mostBytes = 2 * 1024 * 1024;
const atOnce = 16;
/** A file that was written this recently may be written again without a new time. */
const restlessMs = 100;

export async function refresh({ root, paths, clock }: Folder, cache: Cache): Promise<Documents> {
  const { content } = cache;
  const vocabulary = vocabularyOf(content.terms);
  const now = clock.now();
  const found = await inTurns(paths, (path) => look(root, path, content.files.get(path)));

  const files: { path: string; analysis: Analysis }[] = [];
  const skipped: Skipped[] = [];
  const changed = new Map<string, Kept>();
  for (const [index, path] of paths.entries()) {
    const looked = found[index];
    switch (looked?.type) {
      case "known":
        files.push({ path, analysis: looked.analysis });
        break;
      case "read": {
        const analysis = analyse(looked.text, path, vocabulary);
        files.push({ path, analysis });
        changed.set(path, { stamp: now - looked.changedMs < restlessMs ? "" : looked.stamp, analysis });
        break;
      }
      case "skipped":
        skipped.push({ path, reason: looked.reason });
        break;
      default: // deleted, or another name of a file that is listed itself
    }
  }
  const isThere = new Set(files.map(({ path }) => path));
  const gone = [...content.files.keys()].filter((path) => !isThere.has(path));
  if (changed.size > 0 || gone.length > 0) cache.save({ terms: vocabulary.terms, changed, gone });
  return { vocabulary, files, skipped };
}

type Look =
  | { readonly type: "known"; readonly analysis: Analysis }
  | { readonly type: "read"; readonly text: string; readonly stamp: string; readonly changedMs: number }
  | { readonly type: "skipped"; readonly reason: string }
  | { readonly type: "absent" };

async function look(root: string, path: string, kept: Kept | undefined): Promise<Look> {
  const place = join(root, path);
  const found = await lstat(place, { bigint: true }).catch(() => null); // deleted, and git has not been told
  if (found === null) return { type: "absent" };
  if (found.isSymbolicLink()) return lookAtLink(root, place);
  if (!found.isFile()) return { type: "absent" };
  if (found.size > mostBytes) return { type: "skipped", reason: "it is larger than 2 MiB" };
  const stamp = [found.ino, found.size, found.mtimeNs, found.ctimeNs].join("-");
  if (kept?.stamp === stamp) return { type: "known", analysis: kept.analysis };
  try {
    const bytes = await readFile(place);
    if (bytes.includes(0)) return { type: "skipped", reason: "it is no text" };
    return { type: "read", text: bytes.toString("utf8"), stamp, changedMs: Number(found.ctimeMs) };
  } catch (error) {
    return { type: "skipped", reason: `it cannot be read: ${error instanceof Error ? error.message : ""}` };
  }
}

/** The file that a link within the checkout names is listed itself. */
async function lookAtLink(root: string, place: string): Promise<Look> {
  const target = await realpath(place).catch(() => null);
  if (target === null) return { type: "skipped", reason: "it is a link to nothing" };
  const isWithin = !relative(root, target).startsWith("..");
  return isWithin
    ? { type: "absent" }
    : { type: "skipped", reason: "it is a link that leads out of the checkout" };
}

async function inTurns<T, U>(items: readonly T[], work: (item: T) => Promise<U>): Promise<readonly U[]> {
  const results: U[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
  return results;
}
