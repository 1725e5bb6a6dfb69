/** Compares the lines that a Rebaser changed: in languages without a syntax tree, and to find dropped lines of a sibling. */

export interface LineFault {
  /** Line of the new text, from 1. */
  readonly line: number;
  readonly what: string;
}

/** Only imports and lines that name one of these symbols may differ. */
export function linesDiffer(before: string, after: string, symbols: ReadonlySet<string>): LineFault | null {
  for (const { text, line } of changedLines(before.split("\n"), after.split("\n"))) {
    if (text.trim() === "" || isImport(text) || names(text, symbols)) continue;
    return { line, what: `\`${text.trim()}\` is not an import and names nothing that the sibling changed` };
  }
  return null;
}

/** Finds a line of the sibling that git merged and that is gone now; imports may be written differently. */
export function droppedLine(texts: {
  /** Text before the sibling's merge, and with it. */
  readonly base: string;
  readonly sibling: string;
  /** git's merged text with markers, and the text now. */
  readonly merged: string;
  readonly after: string;
}): string | null {
  const [base, merged, after] = [texts.base, texts.merged, texts.after].map(lineCounts);
  const imported = new Set(texts.after.split("\n").filter(isImport).flatMap(tokens));
  for (const [line, count] of lineCounts(texts.sibling)) {
    const added = count - (base?.get(line) ?? 0);
    const taken = Math.min(added, merged?.get(line) ?? 0);
    if (taken <= 0 || !/[\p{L}\p{N}]/u.test(line)) continue;
    if (isImport(line) && tokens(line).every((token) => imported.has(token))) continue;
    if ((after?.get(line) ?? 0) < taken) return line;
  }
  return null;
}

export function hasMarkers(text: string): boolean {
  return /^<{7} /m.test(text) && /^>{7} /m.test(text);
}

const importLine =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+.*\bfrom\s*["']|use\s+[\w:{]|extern\s+crate\b|require(?:_relative)?\b|#\s*include\b|using\s+\w|(?:const|let|var)\s+.*=\s*(?:await\s+import|require)\s*\(|"[\w./-]+"$|@import\b|open\s+import\b)/;

function isImport(line: string): boolean {
  return importLine.test(line);
}

function names(line: string, symbols: ReadonlySet<string>): boolean {
  return [...line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)].some(([word]) => symbols.has(word));
}

const keywords = new Set([
  "import",
  "from",
  "as",
  "type",
  "const",
  "let",
  "var",
  "require",
  "await",
  "export",
  "use",
]);

/** Names and literals of an import. */
function tokens(line: string): readonly string[] {
  const found = [...line.matchAll(/"[^"]*"|'[^']*'|[\p{L}_$][\p{L}\p{N}_$]*/gu)];
  return found.map(([token]) => token.replaceAll("'", '"')).filter((token) => !keywords.has(token));
}

/** Trimmed lines -> number of occurrences. */
function lineCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n").map((one) => one.trim())) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Above this product of line counts, the lines are not aligned; all count as changed. */
const maxCells = 4_000_000;

/** Lines on one side only; a removed line has the number at which it would be now. */
function changedLines(
  before: readonly string[],
  after: readonly string[],
): readonly { readonly text: string; readonly line: number }[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [a, b] = [before.length, after.length];
  while (a > start && b > start && before[a - 1] === after[b - 1]) [a, b] = [a - 1, b - 1];
  const old = before.slice(start, a);
  const now = after.slice(start, b);
  if (old.length * now.length > maxCells) return [...now, ...old].map((text) => ({ text, line: start + 1 }));
  const longest = commonLengths(old, now);
  const found: { text: string; line: number }[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (j < now.length && (i === old.length || at(longest, i, j + 1) >= at(longest, i + 1, j))) {
      found.push({ text: now[j] ?? "", line: start + j + 1 });
      j++;
    } else {
      found.push({ text: old[i] ?? "", line: start + j + 1 });
      i++;
    }
  }
  return found;
}

/** Lengths of the longest common subsequences of the remaining lines, for each pair of positions. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const row = rows[i];
      if (row !== undefined)
        row[j] =
          old[i] === now[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  return rows;
}

function at(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}
