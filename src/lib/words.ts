/** A text that is looked for in another as a word. No text of a project becomes a regular expression: it could say anything there. */

export interface Edges {
  /** What must not end right before the word: a pattern that ends with `$`. */
  readonly before: RegExp;
  /** What must not begin right after it: a pattern that begins with `^`. */
  readonly after: RegExp;
}

const identifier: Edges = { before: /[\p{L}\p{N}_]$/u, after: /^[\p{L}\p{N}_]/u };

/** Where the word stands by itself. */
export function wordsAt(text: string, word: string, edges: Edges = identifier): readonly number[] {
  const found: number[] = [];
  if (word === "") return found;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // Two units may be one character.
    const isWord =
      !edges.before.test(text.slice(Math.max(0, at - 2), at)) && !edges.after.test(text.slice(end, end + 3));
    if (isWord) found.push(at);
  }
  return found;
}

export function hasWord(text: string, word: string, edges: Edges = identifier): boolean {
  return wordsAt(text, word, edges).length > 0;
}
