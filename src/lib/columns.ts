/** Terminal columns of a text: two for a wide letter or an emoji, none for combining characters. */

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });

const wide =
  /[ᄀ-ᅟ⺀-〾ぁ-㏿㐀-䶿一-鿿ꀀ-꓏ꥠ-ꥼ가-힣豈-﫿︐-︙︰-﹯＀-｠￠-￦\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

export function columnsOf(text: string): number {
  // Fast path for plain lines.
  if (/^[ -~─-╿]*$/u.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of letters.segment(text))
    columns += wide.test(segment) ? 2 : /^[\p{M}\p{Cf}]+$/u.test(segment) ? 0 : 1;
  return columns;
}

/**
 * Splits a text into parts of at most so many columns. No part but the last ends with a blank, so that none is lost at the
 * end of a line.
 * @param room columns of the first part and of the others, each at least 2
 */
export function splitColumns(
  text: string,
  room: { readonly first: number; readonly next: number },
): readonly string[] {
  if (columnsOf(text) <= room.first) return [text];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const { segment } of letters.segment(text)) {
    const columns = columnsOf(segment);
    if (used + columns > (parts.length === 0 ? room.first : room.next)) {
      const kept = part.trimEnd() === "" ? part : part.trimEnd();
      parts.push(kept);
      part = part.slice(kept.length);
      used = part.length;
    }
    part += segment;
    used += columns;
  }
  return [...parts, part];
}
