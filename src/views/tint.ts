/** Tones for a text that was made without them: results, blocks and state lines. Pure. */
import type { StyledLine, Tone } from "./styled.ts";

/** Only a line that begins so at the left margin has a tone, where texts of agents are indented. */
const tones: readonly (readonly [RegExp, Tone])[] = [
  [/^✓ /u, "good"],
  [/^✗ /u, "bad"],
  [/^⚠️|^--- WAITING FOR |^run \S+ waits for you/u, "warn"],
  [/^\[Orc\.Phase|^[┌├└]─+[┐┤┘]$|^hint: /u, "dim"],
  [/^error\[\w+\]: /u, "bad"],
  [/^(?:TLDR|[A-Z][\w ']+(?: \(\d+\))?:|[A-Z][A-Z ]+SUMMARY)$/u, "strong"],
  [/^ +(?:mettle|envoy) [a-z]/u, "strong"],
];

export function tinted(line: string): StyledLine {
  const row = /^│(.*)│$/u.exec(line)?.[1];
  if (row !== undefined) return [{ text: "│", tone: "dim" }, { text: row }, { text: "│", tone: "dim" }];
  const tone = tones.find(([pattern]) => pattern.test(line))?.[1];
  return [tone === undefined ? { text: line } : { text: line, tone }];
}
