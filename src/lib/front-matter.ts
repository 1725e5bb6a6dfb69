/** The YAML between two lines `---` at the head of a Markdown text: the one place that finds it. */
export interface FrontMatter {
  /** With the end of its last line. */
  readonly yaml: string;
  /** All below the second line `---`. */
  readonly body: string;
}

/** Null where the text does not begin with it, or it does not end. In one pass, so that a long text costs no more. */
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
