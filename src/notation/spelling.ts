/**
 * Different code points can look alike: the ohm sign and Ω, a small modifier letter and a capital one. Input accepts only the
 * listed spellings; for a look-alike the error shows the correct spelling with its code points (TDP-73).
 */

/** The listed spelling that looks like the text; null: none. */
export function lookAlike(text: string, spellings: Iterable<string>): string | null {
  const looks = skeleton(text);
  if (looks === "") return null;
  for (const spelling of spellings) if (skeleton(spelling) === looks) return spelling;
  return null;
}

/** `Ω₃ᴾ (U+03A9 U+2083 U+1D3E)` for a text with non-ASCII characters, else the text. */
export function spelled(text: string): string {
  const points = [...text].map((char) => char.codePointAt(0) ?? 0);
  if (points.every((point) => point < 0x80)) return text;
  return `${text} (${points.map((point) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`).join(" ")})`;
}

/** Quotes foreign text for a message: control characters escaped, at most 80 characters. */
export function quoted(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(shown).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A spelling without font, height and case. */
function skeleton(text: string): string {
  return text
    .slice(0, 64)
    .normalize("NFKC")
    .replace(/[\s\p{Mn}\p{Cf}]/gu, "")
    .replace(/./gu, (char) => plain[char] ?? char)
    .toLowerCase();
}

/** Characters that compatibility normalisation does not change -> their ASCII letters. */
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
