/**
 * Removes temporary log statements from one text, by lines alone: a marker line and every line below it, up to the first
 * blank one or the end. Pure; the text is bytes as latin1, so that whatever the encoding the lines that stay are the same bytes.
 */
import { readCode } from "../../source/code-text.ts";
import { readScript } from "../../source/script.ts";
import { readShell } from "./shell-code.ts";

export const markerText = "[DEBUG-TEMP]";

/** Lines of the text as it was, counted from 1, both ends included. */
export interface Removal {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

export interface CleanedText {
  readonly text: string;
  readonly markers: number;
  readonly removals: readonly Removal[];
  /** Lines of `text` that hold the marker's words and are no marker. */
  readonly unrecognized: readonly number[];
}

interface Language {
  readonly marker: string;
  /** The same text with the insides of strings and comments blanked. */
  readonly code: (text: string) => string;
  /** As long as the marker, and code wherever a comment may stand. */
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
  // The mark is of the file, not of its first line, and stays when that goes.
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  let lines = linesOf(text.slice(mark.length));
  const removed: Line[] = [];
  let markers = 0;
  // A log whose own string holds an empty line leaves half of it, which may bare another marker: again, until there is none.
  for (let isOpen = true; isOpen && language !== undefined;) {
    const pass = removeBlocks(lines, findMarkers(lines, language), language.marker);
    isOpen = pass.markers > 0;
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
  /** With its line break. */
  readonly text: string;
}

/** As latin1. */
const byteOrderMark = "\xef\xbb\xbf";

function linesOf(text: string): readonly Line[] {
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

/** Those with the marker alone, at places where a comment may stand. */
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

function mergeRemovals(lines: readonly Line[]): readonly Removal[] {
  const removals: Removal[] = [];
  for (const { number, text } of lines.toSorted((a, b) => a.number - b.number)) {
    const last = removals.at(-1);
    if (last?.last === number - 1) removals.splice(-1, 1, { ...last, last: number, text: last.text + text });
    else removals.push({ first: number, last: number, text });
  }
  return removals;
}
