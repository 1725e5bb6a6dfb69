/** Formats whole files for a prompt, and selects files if all are too large together (ORC-31). Pure. */
export interface InlineFile {
  readonly path: string;
  readonly text: string;
}

export interface FittedSources {
  readonly text: string;
  /** Paths that are not shown, sorted; the prompt and the record list them. */
  readonly omitted: readonly string[];
  /** The changed paths among `omitted`: they are not reviewed, so the caller warns about them. */
  readonly omittedChanged: readonly string[];
}

/** Each file under a line with its path, sorted by path. */
export function inlineFiles(files: readonly InlineFile[]): string {
  return byPath(files).map(section).join("\n");
}

/** All files; if they exceed `maxBytes` together, the changed ones that fit. */
export function fitSources(options: {
  readonly files: readonly InlineFile[];
  readonly changed: readonly string[];
  readonly maxBytes: number;
}): FittedSources {
  const { files, changed, maxBytes } = options;
  const whole = inlineFiles(files);
  if (bytes(whole) <= maxBytes) return { text: whole, omitted: [], omittedChanged: [] };

  const kept: InlineFile[] = [];
  let left = maxBytes;
  for (const file of byPath(files).filter(({ path }) => changed.includes(path))) {
    const size = bytes(section(file)) + 1;
    if (size > left) continue;
    kept.push(file);
    left -= size;
  }
  const omitted = byPath(files)
    .filter((file) => !kept.includes(file))
    .map(({ path }) => path);
  return {
    text: inlineFiles(kept),
    omitted,
    omittedChanged: omitted.filter((path) => changed.includes(path)),
  };
}

function section(file: InlineFile): string {
  return `--- ${file.path} ---\n${file.text}${file.text.endsWith("\n") ? "" : "\n"}`;
}

function byPath(files: readonly InlineFile[]): readonly InlineFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
