/**
 * Blanks the contents of quotes, here-documents and comments of a shell script, as `readScript` does for JavaScript. Anything
 * ambiguous is blanked too, so that no marker is found there.
 */
export function readShell(text: string): string {
  let code = "";
  const pending: HereDocument[] = [];
  for (let at = 0; at < text.length;) {
    const { end, hidden } = tokenAt(text, at, pending);
    const token = text.slice(at, end);
    code += hidden ? token.replace(/[^\r\n]/g, " ") : token;
    at = end;
  }
  return code;
}

interface HereDocument {
  readonly word: string;
  readonly stripsTabs: boolean;
}

function tokenAt(text: string, at: number, pending: HereDocument[]): { end: number; hidden: boolean } {
  const char = text.charAt(at);
  if (char === "\n" && pending.length > 0)
    return { end: endOfDocuments(text, at + 1, pending), hidden: true };
  if (char === "\\") return { end: Math.min(at + 2, text.length), hidden: false };
  if (char === "#" && /^$|[\s;&|(]/.test(text.charAt(at - 1)))
    return { end: lineEnd(text, at), hidden: true };
  if (char === "'") {
    const isEscaped = text.charAt(at - 1) === "$" && text.charAt(at - 2) !== "\\";
    return { end: quoteEnd(text, at, isEscaped ? /'(?:\\[\s\S]|[^'\\])*'/y : /'[^']*'/y), hidden: true };
  }
  if (char === '"') return { end: quoteEnd(text, at, /"(?:\\[\s\S]|[^"\\])*"/y), hidden: true };
  if (text.startsWith("<<<", at)) return { end: at + 3, hidden: false };
  const document = text.startsWith("<<", at) ? documentAt(text, at) : null;
  if (document === null) return { end: at + 1, hidden: false };
  pending.push(document);
  return { end: at + document.length, hidden: false };
}

function documentAt(text: string, at: number): (HereDocument & { readonly length: number }) | null {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  // A shift in arithmetic: ((1 << bits)).
  if (line.lastIndexOf("((") > line.lastIndexOf("))")) return null;
  const pattern = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w.-]*))/y;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return null;
  return {
    word: found[2] ?? found[3] ?? found[4] ?? "",
    stripsTabs: found[1] === "-",
    length: found[0].length,
  };
}

/** The offset after the last line of the pending here-documents. */
function endOfDocuments(text: string, from: number, pending: HereDocument[]): number {
  let at = from;
  for (const { word, stripsTabs } of pending.splice(0)) {
    for (let isOpen = true; isOpen && at < text.length;) {
      const end = lineEnd(text, at);
      const line = text.slice(at, end).replace(/\r$/, "");
      isOpen = (stripsTabs ? line.replace(/^\t+/, "") : line) !== word;
      // The line break after the last one is code again: the next document may begin there.
      at = isOpen ? Math.min(end + 1, text.length) : end;
    }
  }
  return at;
}

function quoteEnd(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? text.length - at);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
