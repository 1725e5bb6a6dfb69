/**
 * Prepares a JavaScript or TypeScript text for searching: `code` has the same length and lines with the content of strings,
 * templates, regular expressions and comments blanked, so that a match in it is real code.
 */
export interface Script {
  readonly text: string;
  readonly code: string;
  /** String and template literals, outer ones first. `start` is the index of the opening quote. */
  readonly strings: readonly Literal[];
}

export interface Literal {
  readonly start: number;
  /** Index after the closing quote. */
  readonly end: number;
  readonly value: string;
}

export function readScript(text: string): Script {
  const out = text.split("");
  const strings: Literal[] = [];
  const blank = (from: number, to: number) => {
    for (let at = from; at < to; at++) if (out[at] !== "\n") out[at] = " ";
  };
  /** Brace depths at which the open `${` expressions end. */
  const templates: { depth: number; start: number }[] = [];
  let depth = 0;
  let at = 0;

  const template = (start: number, from: number): number => {
    const end = endOfTemplate(text, from);
    blank(from, end.at);
    if (end.open) {
      templates.push({ depth, start });
      depth++;
      return end.at + 2;
    }
    strings.push({ start, end: end.at + 1, value: text.slice(start + 1, end.at) });
    return end.at + 1;
  };

  while (at < text.length) {
    const char = text.charAt(at);
    const pair = text.slice(at, at + 2);
    if (pair === "//" || (at === 0 && pair === "#!")) {
      const end = indexOr(text, "\n", at);
      blank(at, end);
      at = end;
    } else if (pair === "/*") {
      const end = Math.min(indexOr(text, "*/", at + 2) + 2, text.length);
      blank(at, end);
      at = end;
    } else if (char === '"' || char === "'") {
      const end = endOfString(text, at);
      strings.push({ start: at, end: end + 1, value: unescape(text.slice(at + 1, end)) });
      blank(at + 1, end);
      at = end + 1;
    } else if (char === "`") at = template(at, at + 1);
    else if (char === "/" && startsRegExp(out, at)) {
      const end = endOfRegExp(text, at);
      blank(at + 1, end);
      at = end + 1;
    } else if (char === "}" && templates.at(-1)?.depth === depth - 1) {
      const open = templates.pop();
      depth--;
      at = template(open?.start ?? at, at + 1);
    } else {
      if (char === "{") depth++;
      if (char === "}") depth--;
      at++;
    }
  }
  return { text, code: out.join(""), strings };
}

/** Line number, from 1. */
export function lineOf(script: Script, at: number): number {
  let line = 1;
  for (let i = 0; i < at; i++) if (script.text[i] === "\n") line++;
  return line;
}

/** Index of the bracket that closes the one at `open`; the text's length where there is none. */
export function closing(code: string, open: number): number {
  const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
  const stack: string[] = [];
  for (let at = open; at < code.length; at++) {
    const char = code.charAt(at);
    const close = pairs[char];
    if (close !== undefined) stack.push(close);
    else if (char === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return at;
    }
  }
  return code.length;
}

/** The literal that starts at the first non-space character from `at` on. */
export function literalAt(script: Script, at: number): Literal | null {
  const start = at + (/^\s*/.exec(script.code.slice(at))?.[0].length ?? 0);
  return script.strings.find((literal) => literal.start === start) ?? null;
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at++;
    else if (char === quote || char === "\n") return at;
  }
  return text.length;
}

function endOfTemplate(text: string, from: number): { readonly at: number; readonly open: boolean } {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at++;
    else if (char === "`") return { at, open: false };
    else if (char === "$" && text.charAt(at + 1) === "{") return { at, open: true };
  }
  return { at: text.length, open: false };
}

function endOfRegExp(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\n") return at - 1;
    if (char === "\\") at++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return at;
  }
  return text.length;
}

/** A slash starts a regular expression unless it follows a value. */
function startsRegExp(out: readonly string[], slash: number): boolean {
  const before = out
    .slice(Math.max(0, slash - 40), slash)
    .join("")
    .trimEnd();
  if (before === "") return true;
  const word = /[\p{L}\p{N}_$]+$/u.exec(before)?.[0];
  if (word !== undefined)
    return /^(return|typeof|case|in|of|do|else|void|delete|await|yield|instanceof|new|throw)$/.test(word);
  return !/[)\]}"'`]$/.test(before);
}

function unescape(raw: string): string {
  return raw.replace(/\\(.)/gs, (_all, char: string) => ({ n: "\n", t: "\t" })[char] ?? char);
}

function indexOr(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}
