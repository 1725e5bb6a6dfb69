/** Brings what is known of the documents up to the files as they are now, reading only those that changed. */
import { lstatSync, readFileSync, realpathSync, type BigIntStats } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { assertNever } from "../lib/assert-never.ts";
import type { Clock } from "../lib/clock.ts";
import { analyse, type Analysis } from "./analysis.ts";
import type { Cache, CachedFile } from "./cache.ts";
import { vocabularyOf, type Vocabulary } from "./vocabulary.ts";

export interface Documents {
  readonly vocabulary: Vocabulary;
  /** Sorted by path. */
  readonly files: readonly { readonly path: string; readonly analysis: Analysis }[];
  readonly skipped: readonly SkippedFile[];
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface SearchScope {
  readonly root: string;
  /** Relative to the root. */
  readonly paths: readonly string[];
  readonly clock: Clock;
}

const maxBytes = 2 * 1024 * 1024;
/** So often others get their turn. */
const turnEvery = 100;
/** A file that was written this recently may be written again without a new time. */
const unstableMs = 100;

export async function refresh({ root, paths, clock }: SearchScope, cache: Cache): Promise<Documents> {
  const { content } = cache;
  const vocabulary = vocabularyOf(content.terms);
  const now = clock.now();
  const files: { path: string; analysis: Analysis }[] = [];
  const skipped: SkippedFile[] = [];
  const changed = new Map<string, CachedFile>();
  for (const [index, path] of paths.entries()) {
    if (index % turnEvery === turnEvery - 1) await nextTurn();
    const probed = probe(root, path, content.files.get(path));
    switch (probed.type) {
      case "known":
        files.push({ path, analysis: probed.analysis });
        break;
      case "read": {
        const analysis = analyse(probed.text, path, vocabulary);
        files.push({ path, analysis });
        changed.set(path, { stamp: now - probed.changedMs < unstableMs ? "" : probed.stamp, analysis });
        break;
      }
      case "skipped":
        skipped.push({ path, reason: probed.reason });
        break;
      case "absent": // deleted, or another name of a file that is listed itself
        break;
      default:
        assertNever(probed);
    }
  }
  const isThere = new Set(files.map(({ path }) => path));
  const gone = [...content.files.keys()].filter((path) => !isThere.has(path));
  if (changed.size > 0 || gone.length > 0) cache.save({ terms: vocabulary.terms, changed, gone });
  return { vocabulary, files, skipped };
}

type ProbeResult =
  | { readonly type: "known"; readonly analysis: Analysis }
  | { readonly type: "read"; readonly text: string; readonly stamp: string; readonly changedMs: number }
  | { readonly type: "skipped"; readonly reason: string }
  | { readonly type: "absent" };

/** Not asynchronous: for thousands of small files the turns would take longer than the work. */
function probe(root: string, path: string, kept: CachedFile | undefined): ProbeResult {
  const place = join(root, path);
  try {
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    // Deleted, and git has not been told.
    if (found === undefined) return { type: "absent" };
    if (found.isSymbolicLink()) return probeLink(root, place);
    if (!found.isFile()) return { type: "absent" };
    if (found.size > maxBytes) return { type: "skipped", reason: "it is larger than 2 MiB" };
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
function probeLink(root: string, place: string): ProbeResult {
  try {
    const isWithin = !relative(root, realpathSync(place)).startsWith("..");
    return isWithin
      ? { type: "absent" }
      : { type: "skipped", reason: "it is a link that leads out of the checkout" };
  } catch {
    return { type: "skipped", reason: "it is a link to nothing" };
  }
}
