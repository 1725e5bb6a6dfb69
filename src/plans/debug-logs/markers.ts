/**
 * Removes temporary log statements from one text, line by line: a marker line and all lines below it up to the first blank line or
 * the end. Pure. The text is the file's bytes read as latin1, so that the remaining lines keep their bytes in any encoding.
 */
import { readCode } from "../../source/code-text.ts";
import { readScript } from "../../source/script.ts";
import { readShell } from "./shell-code.ts";

export const markerText = "[DEBUG-TEMP]";

/** A range of lines of the original text, counted from 1, both ends included. */
export interface LogRemoval {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

export interface CleanedText {
  readonly text: string;
  readonly markers: number;
  readonly removals: readonly LogRemoval[];
  /** Lines of `text` that hold the marker's text but are not markers. */
  readonly unrecognized: readonly number[];
}

interface Language {
  readonly marker: string;
  /** Blanks the contents of strings and comments. */
  readonly code: (text: string) => string;
  /** Code of the marker's length that is valid wherever a comment is valid. */
  readonly probe: string;
}

const script: Language = {
  marker: `// ${markerText}`,
  code: (text) => readScript(text).code,
  probe: ";_DEBUG__TEMP_;",
};
const python: Language = {
  marker: `# ${markerText}`,
  code: (text) => readCode(text, "python").code,
  probe: ";_DEBUG_TEMP_;",
};
const shell: Language = { ...python, code: readShell };

const languages: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"].map((end) => [end, script])),
  py: python,
  sh: shell,
  bash: shell,
};

export function stripDebugLogs(text: string, path: string): CleanedText {
  const language = languages[/\.([a-z]+)$/.exec(path)?.[1] ?? ""];
  // The byte order mark belongs to the file and stays even if its first line is removed.
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let lines = linesOf(text.slice(mark.length));
  const removed: Line[] = [];
  let markers = 0;
  // A log whose string holds an empty line is removed in part, which may expose another marker: repeat until there is none.
  for (let hasMarkers = true; hasMarkers && language !== undefined;) {
    const pass = removeBlocks(lines, findMarkers(lines, language), language.marker);
    hasMarkers = pass.markers > 0;
    markers += pass.markers;
    removed.push(...pass.removed);
    lines = pass.kept;
  }
  return {
    text: mark + lines.map((line) => line.text).join(""),
    markers,
    removals: mergeRemovals(removed),
    unrecognized: lines.flatMap((line, index) => (line.text.includes(markerText) ? [index + 1] : [])),
  };
}

interface Line {
  readonly number: number;
  /** Includes the line break. */
  readonly text: string;
}

/** The UTF-8 byte order mark, read as latin1. */
const byteOrderMark = "\xef\xbb\xbf";

function linesOf(text: string): readonly Line[] {
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

/** Indexes of the lines that hold the marker alone, where a comment is valid. */
function findMarkers(lines: readonly Line[], { marker, code, probe }: Language): ReadonlySet<number> {
  const candidates = new Set(lines.flatMap(({ text }, index) => (text.trim() === marker ? [index] : [])));
  if (candidates.size === 0) return candidates;
  const probed = lines.map(({ text }, index) => (candidates.has(index) ? text.replace(marker, probe) : text));
  const seen = code(probed.join(""));
  const starts = [0];
  for (const line of probed) starts.push((starts.at(-1) ?? 0) + line.length);
  return new Set(
    [...candidates].filter((index) => seen.slice(starts[index], starts[index + 1]).includes(probe)),
  );
}

function removeBlocks(lines: readonly Line[], begins: ReadonlySet<number>, marker: string) {
  const kept: Line[] = [];
  const removed: Line[] = [];
  let markers = 0;
  let isIn = false;
  for (const [index, line] of lines.entries()) {
    isIn = begins.has(index) || (isIn && line.text.trim() !== "");
    (isIn ? removed : kept).push(line);
    if (isIn && line.text.trim() === marker) markers++;
  }
  return { kept, removed, markers };
}

function mergeRemovals(lines: readonly Line[]): readonly LogRemoval[] {
  const removals: LogRemoval[] = [];
  for (const { number, text } of lines.toSorted((a, b) => a.number - b.number)) {
    const last = removals.at(-1);
    if (last?.last === number - 1) removals.splice(-1, 1, { ...last, last: number, text: last.text + text });
    else removals.push({ first: number, last: number, text });
  }
  return removals;
}
