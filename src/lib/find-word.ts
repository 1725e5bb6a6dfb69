/** Finds a word in a text without a regular expression, because the word may be any text of a project. */

export interface Edges {
  /** Pattern that must not match the text right before the word; it ends with `$`. */
  readonly before: RegExp;
  /** Pattern that must not match the text right after it; it starts with `^`. */
  readonly after: RegExp;
}

const identifier: Edges = { before: /[\p{L}\p{N}_]$/u, after: /^[\p{L}\p{N}_]/u };

/** Offsets of the word as a separate word. */
export function wordsAt(text: string, word: string, edges: Edges = identifier): readonly number[] {
  const found: number[] = [];
  if (word === "") return found;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    // A character may have two UTF-16 units.
    const isWord =
      !edges.before.test(text.slice(Math.max(0, at - 2), at)) && !edges.after.test(text.slice(end, end + 3));
    if (isWord) found.push(at);
  }
  return found;
}

export function hasWord(text: string, word: string, edges: Edges = identifier): boolean {
  return wordsAt(text, word, edges).length > 0;
}
