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
