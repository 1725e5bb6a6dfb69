/** Updates the analyses of the documents: reads only the files that changed. */
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
  /** Relative to `root`. */
  readonly paths: readonly string[];
  readonly clock: Clock;
}

const maxBytes = 2 * 1024 * 1024;
/** The event loop gets a turn after this many files. */
const turnEvery = 100;
/** A file written this recently may change again without a new timestamp. */
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
      case "absent": // deleted, or a link to a file that is listed itself
        break;
      default:
        assertNever(probed);
    }
  }
  const present = new Set(files.map(({ path }) => path));
  const gone = [...content.files.keys()].filter((path) => !present.has(path));
  if (changed.size > 0 || gone.length > 0) cache.save({ terms: vocabulary.terms, changed, gone });
  return { vocabulary, files, skipped };
}

type ProbeResult =
  | { readonly type: "known"; readonly analysis: Analysis }
  | { readonly type: "read"; readonly text: string; readonly stamp: string; readonly changedMs: number }
  | { readonly type: "skipped"; readonly reason: string }
  | { readonly type: "absent" };

/** Synchronous, because asynchronous calls would take longer than the work for thousands of small files. */
function probe(root: string, path: string, kept: CachedFile | undefined): ProbeResult {
  const place = join(root, path);
  try {
    const found = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    // Deleted, but still in the index.
    if (found === undefined) return { type: "absent" };
    if (found.isSymbolicLink()) return probeLink(root, place);
    if (!found.isFile()) return { type: "absent" };
    if (found.size > maxBytes) return { type: "skipped", reason: "it is larger than 2 MiB" };
    const stamp = stampOf(found);
    if (kept?.stamp === stamp) return { type: "known", analysis: kept.analysis };
    const bytes = readFileSync(place);
    if (bytes.includes(0)) return { type: "skipped", reason: "it is not a text" };
    return { type: "read", text: bytes.toString("utf8"), stamp, changedMs: Number(found.ctimeMs) };
  } catch (error) {
    return { type: "skipped", reason: `it cannot be read: ${error instanceof Error ? error.message : ""}` };
  }
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}-${ctimeNs}`;
}

/** A link within the checkout is skipped, because its target is listed itself. */
function probeLink(root: string, place: string): ProbeResult {
  try {
    const isWithin = !relative(root, realpathSync(place)).startsWith("..");
    return isWithin ? { type: "absent" } : { type: "skipped", reason: "it is a link out of the checkout" };
  } catch {
    return { type: "skipped", reason: "it is a broken link" };
  }
}
