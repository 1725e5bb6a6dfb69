/**
 * Many code points look like one sign: the ohm sign like Ω, a small modifier letter like a capital one. Input takes the
 * listed spellings alone; a look-alike is refused, and the spelling that was meant is shown with its code points (TDP-73).
 */

/** The listed spelling that looks like the text, or null. */
export function lookAlike(text: string, spellings: Iterable<string>): string | null {
  const looks = skeleton(text);
  if (looks === "") return null;
  for (const spelling of spellings) if (skeleton(spelling) === looks) return spelling;
  return null;
}

/** `Ω₃ᴾ (U+03A9 U+2083 U+1D3E)` for signs that a keyboard lacks, the plain text for others. */
export function spelled(text: string): string {
  const points = [...text].map((char) => char.codePointAt(0) ?? 0);
  if (points.every((point) => point < 0x80)) return text;
  return `${text} (${points.map((point) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`).join(" ")})`;
}

/** Text of others in a message: quoted, with nothing in it that a terminal would obey, and not endless. */
export function quoted(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What is left of a spelling once font, height and case are gone. */
function skeleton(text: string): string {
  return text
    .slice(0, 64)
    .normalize("NFKC")
    .replace(/[\s\p{Mn}\p{Cf}]/gu, "")
    .replace(/./gu, (char) => plain[char] ?? char)
    .toLowerCase();
}

/** Signs that compatibility normalisation leaves alone, beside the letter that stands for them. */
const plain: Readonly<Record<string, string>> = {
  Ω: "o",
  ω: "o",
  "℧": "o",
  σ: "s",
  ς: "s",
  Σ: "s",
  Λ: "l",
  λ: "l",
  "∧": "l",
  "⋀": "l",
  Ʌ: "l",
  ʌ: "l",
  ɪ: "i",
  ı: "i",
  ɡ: "g",
  ɢ: "g",
  ɴ: "n",
  ʀ: "r",
  ᴘ: "p",
  ᴀ: "a",
  ᴛ: "t",
  ᴠ: "v",
  ᴄ: "c",
  ꜰ: "f",
  ᴇ: "e",
  ᴅ: "d",
  ꜱ: "s",
  "↗": "->",
  "→": "->",
};
