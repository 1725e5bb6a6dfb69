/**
 * Prepares a Python, Go or Rust text for searching, as script.ts does for JavaScript: `code` has the same length and lines
 * with the content of strings and comments blanked, so that a match in it is real code.
 */
import type { Literal, Script } from "./script.ts";

export type Language = "python" | "go" | "rust";

/** By file extension; null for every other language. */
export function languageOf(path: string): Language | null {
  const ending = /\.(py|go|rs)$/.exec(path)?.[1];
  if (ending === "py") return "python";
  return ending === "go" ? "go" : ending === "rs" ? "rust" : null;
}

interface Token {
  /** Sticky; matches the whole token. */
  readonly pattern: RegExp;
  /** Number of characters to keep at each end; null blanks the whole token and records no literal. */
  readonly quotes: number | null;
}

const tokens: Readonly<Record<Language, readonly Token[]>> = {
  python: [
    { pattern: /#[^\n]*/y, quotes: null },
    { pattern: /"""(?:\\[\s\S]|(?!""")[^\\])*(?:"""|$)/y, quotes: 3 },
    { pattern: /'''(?:\\[\s\S]|(?!''')[^\\])*(?:'''|$)/y, quotes: 3 },
    { pattern: /"(?:\\[\s\S]|[^"\\\n])*"?/y, quotes: 1 },
    { pattern: /'(?:\\[\s\S]|[^'\\\n])*'?/y, quotes: 1 },
  ],
  go: [
    { pattern: /\/\/[^\n]*/y, quotes: null },
    { pattern: /\/\*[\s\S]*?(?:\*\/|$)/y, quotes: null },
    { pattern: /`[^`]*(?:`|$)/y, quotes: 1 },
    { pattern: /"(?:\\[\s\S]|[^"\\\n])*"?/y, quotes: 1 },
    { pattern: /'(?:\\[^\n]{1,9}?|[^'\\\n])'/y, quotes: 1 },
  ],
  rust: [
    { pattern: /\/\/[^\n]*/y, quotes: null },
    { pattern: /\/\*[\s\S]*?(?:\*\/|$)/y, quotes: null },
    { pattern: /b?r(#+)"[\s\S]*?(?:"\1|$)/y, quotes: 1 },
    { pattern: /"(?:\\[\s\S]|[^"\\])*(?:"|$)/y, quotes: 1 },
    // A lifetime has no closing quote.
    { pattern: /'(?:\\[^\n']{1,9}'?|[^'\\\n])'/y, quotes: 1 },
  ],
};

export function readCode(text: string, language: Language): Script {
  const strings: Literal[] = [];
  let code = "";
  for (let at = 0; at < text.length;) {
    const found = firstToken(text, at, language);
    if (found === null) {
      code += text.charAt(at);
      at++;
      continue;
    }
    const { token, whole } = found;
    const kept = token.quotes ?? 0;
    const inside = whole.slice(kept, Math.max(kept, whole.length - kept));
    if (token.quotes !== null) strings.push({ start: at, end: at + whole.length, value: inside });
    code += whole.slice(0, kept) + inside.replace(/[^\n]/g, " ") + whole.slice(kept + inside.length);
    at += whole.length;
  }
  return { text, code, strings };
}

function firstToken(text: string, at: number, language: Language): { token: Token; whole: string } | null {
  // Inside a word, `r` or `b` starts no raw string.
  const isInWord = /[\p{L}\p{N}_]/u.test(text.charAt(at - 1));
  for (const token of tokens[language]) {
    token.pattern.lastIndex = at;
    const whole = token.pattern.exec(text)?.[0];
    if (whole !== undefined && whole !== "" && !(isInWord && /^b?r/.test(whole))) return { token, whole };
  }
  return null;
}

/** A line and the following lines with deeper indentation: a Python block. */
export function indentedBlock(code: string, start: number): { readonly start: number; readonly end: number } {
  const lineStart = code.lastIndexOf("\n", start - 1) + 1;
  const indent = /^[ \t]*/.exec(code.slice(lineStart))?.[0].length ?? 0;
  let end = code.indexOf("\n", start);
  if (end === -1) return { start, end: code.length };
  while (end < code.length) {
    const next = code.indexOf("\n", end + 1);
    const line = code.slice(end + 1, next === -1 ? code.length : next);
    const own = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line.trim() !== "" && own <= indent && !/^\s*[)\]}]/.test(line)) break;
    end = next === -1 ? code.length : next;
  }
  return { start, end };
}
