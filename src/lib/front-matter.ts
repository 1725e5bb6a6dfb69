/** The front matter of a Markdown text: the YAML between two lines `---` at its start. */
export interface FrontMatter {
  /** Including the last line break. */
  readonly yaml: string;
  /** The text after the second line `---`. */
  readonly body: string;
}

/** Null if there is no complete front matter. Linear time. */
export function frontMatterOf(text: string): FrontMatter | null {
  const start = /^\uFEFF?---[ \t]*\r?\n/u.exec(text)?.[0].length;
  if (start === undefined) return null;
  const line = /^---[ \t]*(?:\r?\n|$)/gmu;
  line.lastIndex = start;
  const end = line.exec(text);
  return end === null
    ? null
    : { yaml: text.slice(start, end.index), body: text.slice(end.index + end[0].length) };
}
