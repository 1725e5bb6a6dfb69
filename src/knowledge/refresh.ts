/** Brings what is known of the documents up to the files as they are now, reading only those that changed. */
import { lstatSync, readFileSync, realpathSync, type BigIntStats } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { assertNever } from "../lib/assert-never.ts";
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
/** So often others get their turn. */
const turnEvery = 100;
/** A file that was written this recently may be written again without a new time. */
const restlessMs = 100;

export async function refresh({ root, paths, clock }: Folder, cache: Cache): Promise<Documents> {
  const { content } = cache;
  const vocabulary = vocabularyOf(content.terms);
  const now = clock.now();
  const files: { path: string; analysis: Analysis }[] = [];
  const skipped: Skipped[] = [];
  const changed = new Map<string, Kept>();
  for (const [index, path] of paths.entries()) {
    if (index % turnEvery === turnEvery - 1) await nextTurn();
    const looked = look(root, path, content.files.get(path));
    switch (looked.type) {
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
      case "absent": // deleted, or another name of a file that is listed itself
        break;
      default:
        assertNever(looked);
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

/** Not asynchronous: for thousands of small files the turns would take longer than the work. */
function look(root: string, path: string, kept: Kept | undefined): Look {
  const place = join(root, path);
  try {
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    // Deleted, and git has not been told.
    if (found === undefined) return { type: "absent" };
    if (found.isSymbolicLink()) return lookAtLink(root, place);
    if (!found.isFile()) return { type: "absent" };
    if (found.size > mostBytes) return { type: "skipped", reason: "it is larger than 2 MiB" };
    const stamp = stampOf(found);
    if (kept?.stamp === stamp) return { type: "known", analysis: kept.analysis };
    const bytes = readFileSync(place);
    if (bytes.includes(0)) return { type: "skipped", reason: "it is no text" };
    return { type: "read", text: bytes.toString("utf8"), stamp, changedMs: Number(found.ctimeMs) };
  } catch (error) {
    return { type: "skipped", reason: `it cannot be read: ${error instanceof Error ? error.message : ""}` };
  }
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}-${ctimeNs}`;
}

/** The file that a link within the checkout names is listed itself. */
function lookAtLink(root: string, place: string): Look {
  try {
    const isWithin = !relative(root, realpathSync(place)).startsWith("..");
    return isWithin
      ? { type: "absent" }
      : { type: "skipped", reason: "it is a link that leads out of the checkout" };
  } catch {
    return { type: "skipped", reason: "it is a link to nothing" };
  }
}
