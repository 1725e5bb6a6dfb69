/** Tools for reading declarations. */

/** Splits at separators outside of brackets and trims the parts; an empty list has no parts. */
export function splitTop(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if ("([{<".includes(char)) depth++;
    // The `>` of an arrow closes no bracket.
    else if (
      ")]}".includes(char) ||
      (char === ">" && text.charAt(at - 1) !== "=" && text.charAt(at - 1) !== "-")
    )
      depth--;
    else if (char === separator && depth === 0 && !(separator === "=" && text.charAt(at + 1) === ">")) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  const trimmed = parts.map((part) => part.trim());
  return trimmed.at(-1) === "" ? trimmed.slice(0, -1) : trimmed;
}

/** Collapses whitespace to one space, and removes it beside brackets and commas. */
export function squeeze(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/\s*([()[\]{},:;|&<>])\s*/g, "$1")
    .trim();
}
