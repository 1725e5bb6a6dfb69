/** Removes temporary log statements from the files of one checkout, after it has saved the files under a rescue ref. */
import { createReadStream } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { allCheckoutFiles } from "../../git/checkout/checkout-files.ts";
import { filtersInCheckout } from "../../git/checkout/filters.ts";
import { headCommit, type Repository } from "../../git/repository.ts";
import { rescue } from "../../git/rescue.ts";
import { treeWith } from "../../git/objects/tree.ts";
import type { Clock } from "../../lib/clock.ts";
import { changeFile } from "../../memory/bank/change-file.ts";
import { markerText, stripDebugLogs, type CleanedText } from "./markers.ts";

/** Larger source files are generated; to read one whole could exhaust the memory. */
const maxBytes = 4 * 1024 * 1024;

export interface DebugLogScan {
  /** The files with at least one marker. */
  readonly files: readonly FileWithDebugLogs[];
  /** `path:line` of texts that look like a marker but are not; line numbers after the removal. */
  readonly unrecognized: readonly string[];
  /** Files that hold the marker's text but were not read, each with the reason. */
  readonly skipped: readonly SkippedFile[];
}

export interface FileWithDebugLogs extends CleanedText {
  readonly path: string;
  readonly before: Buffer;
}

interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** Scans the tracked and untracked files of the checkout. Changes nothing. */
export async function findDebugLogs(repository: Repository): Promise<DebugLogScan> {
  const files: FileWithDebugLogs[] = [];
  const unrecognized: string[] = [];
  const skipped: SkippedFile[] = [];
  const paths = await allCheckoutFiles(repository);
  const filters = await filtersInCheckout(repository, paths);
  for (const path of paths) {
    const read = await readIfMarked(join(repository.checkout, path));
    if (read === null) continue;
    const filter = filters.get(path);
    if (filter !== undefined) {
      skipped.push({
        path,
        reason: `git stores it through the filter ${filter}: remove its markers by hand`,
      });
      continue;
    }
    if (typeof read === "string") {
      skipped.push({ path, reason: read });
      continue;
    }
    const cleaned = stripDebugLogs(read.toString("latin1"), path);
    if (cleaned.markers > 0) files.push({ path, before: read, ...cleaned });
    if (!isAgentInstruction(path))
      unrecognized.push(...cleaned.unrecognized.map((line) => `${path}:${line}`));
  }
  return { files, unrecognized, skipped };
}

/** Protocols and prompts describe markers; they do not contain any. */
function isAgentInstruction(path: string): boolean {
  return /^\.(?:claude|mettle)\//u.test(path);
}

export interface CleanupResult {
  readonly modified: readonly string[];
  readonly markers: number;
  readonly skipped: readonly SkippedFile[];
  /** The ref that holds the original files; null if nothing was removed. */
  readonly rescue: string | null;
}

/** Writes the cleaned files of a `findDebugLogs` scan. Commits nothing. */
export async function removeDebugLogs(
  repository: Repository,
  found: DebugLogScan,
  clock: Clock,
): Promise<CleanupResult> {
  if (found.files.length === 0) return { modified: [], markers: 0, skipped: [], rescue: null };
  const base = await headCommit(repository);
  const saved = await rescue(repository, {
    run: "envoy",
    key: "cleanup-debug-logs",
    reason: "The files before their temporary log statements were removed.",
    work: {
      base,
      tree: await treeWith(repository, base, new Map(found.files.map(({ path, before }) => [path, before]))),
    },
    dateMs: clock.now(),
  });
  const modified: string[] = [];
  const skipped: SkippedFile[] = [];
  let markers = 0;
  for (const file of found.files) {
    const after = Buffer.from(file.text, "latin1");
    // A file that changed since the scan was not saved, so it is skipped.
    const { written } = await changeFile(repository.checkout, file.path, (now) =>
      now?.equals(file.before) === true ? after : null,
    );
    if (written) {
      modified.push(file.path);
      markers += file.markers;
    } else skipped.push({ path: file.path, reason: "it changed meanwhile; call again" });
  }
  return { modified, markers, skipped, rescue: saved?.ref ?? null };
}

/** The bytes of a file with a marker; null without one; a reason if it has one and cannot be cleaned. Never reads a large file whole. */
async function readIfMarked(location: string): Promise<Buffer | string | null> {
  const found = await lstat(location).catch(() => null); // deleted, but still in the index
  if (found === null || !found.isFile()) return null;
  try {
    if (found.size > maxBytes) {
      const reason = `it is larger than ${maxBytes / 1024 / 1024} MiB: remove its markers by hand`;
      return (await isMarked(location)) ? reason : null;
    }
    const bytes = await readFile(location);
    return bytes.includes(markerText) ? bytes : null;
  } catch (error) {
    return `it cannot be read: ${error instanceof Error ? error.message : ""}`;
  }
}

async function isMarked(location: string): Promise<boolean> {
  let tail = Buffer.alloc(0);
  for await (const chunk of createReadStream(location, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([tail, Buffer.from(chunk as Uint8Array)]);
    if (bytes.includes(markerText)) return true;
    tail = bytes.subarray(Math.max(0, bytes.length - markerText.length));
  }
  return false;
}
