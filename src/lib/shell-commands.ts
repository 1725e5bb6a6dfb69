/** Parses shell text into simple commands with words, redirections, here-documents and nested commands. Pure. */

export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
  /** Text of a here-document or a here-string. */
  readonly stdin: string;
  readonly readsFrom: readonly string[];
}

interface Draft {
  words: string[];
  writesTo: string[];
  stdin: string;
  readsFrom: string[];
}

/** Parses without expansion of variables and patterns. */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let current: Draft = emptyCommand();
  let word: string | null = null;
  let target: "write" | "read" | "heredoc" | "herestring" | null = null;
  let isQuoted = false;
  let waiting: { readonly end: string; readonly of: Draft; readonly isPlain: boolean }[] = [];
  let at = 0;

  const endWord = () => {
    if (word === null) return;
    if (target === "write") current.writesTo.push(word);
    else if (target === "heredoc") waiting.push({ end: word, of: current, isPlain: isQuoted });
    else if (target === "herestring") current.stdin += `${word}\n`;
    else if (target === "read") current.readsFrom.push(word);
    else current.words.push(word);
    word = null;
    isQuoted = false;
    target = null;
  };
  const endCommand = () => {
    endWord();
    if (current.words.length + current.writesTo.length > 0) found.push(current);
    current = emptyCommand();
  };
  const add = (more: string) => {
    word = (word ?? "") + more;
  };
  const inside = (inner: string) => found.push(...simpleCommands(inner));

  while (at < text.length) {
    const char = text.charAt(at);
    const rest = text.slice(at, at + 3);
    if (rest.startsWith("$'")) {
      const quoted = ansiQuoted(text, at + 2);
      add(quoted.text);
      at = quoted.next;
    } else if (char === "\\") {
      isQuoted = true;
      if (text.charAt(at + 1) !== "\n") add(text.charAt(at + 1));
      at += 2;
    } else if (char === "'") {
      isQuoted = true;
      const end = endOr(text.indexOf("'", at + 1), text);
      add(text.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') {
      isQuoted = true;
      const end = closingQuote(text, at + 1);
      const quoted = text.slice(at + 1, end);
      for (const inner of substitutions(quoted)) inside(inner);
      add(quoted.replace(/\\(["\\$`])/gu, "$1"));
      at = end + 1;
    } else if (rest.startsWith("$(") || char === "`") {
      const end = char === "`" ? endOr(text.indexOf("`", at + 1), text) : closingParen(text, at + 2);
      inside(text.slice(at + (char === "`" ? 1 : 2), end));
      add(text.slice(at, end + 1));
      at = end + 1;
    } else if (rest === "<<<") {
      endWord();
      target = "herestring";
      at += 3;
    } else if (rest.startsWith("<<")) {
      endWord();
      target = "heredoc";
      at += rest === "<<-" ? 3 : 2;
    } else if (/^(?:&>>|&>|>>|>\||>&|>|<>)/u.test(rest)) {
      const sign = /^(?:&>>|&>|>>|>\||>&|>|<>)/u.exec(rest)?.[0] ?? ">";
      // In 2> the number is a stream, not a word; 2>&1 names no file.
      if (/^\d+$/u.test(word ?? "")) word = null;
      endWord();
      at += sign.length;
      const copied = sign === ">&" ? /^\s*(?:\d+|-)(?![\w./-])/u.exec(text.slice(at))?.[0] : undefined;
      if (copied === undefined) target = "write";
      else at += copied.length;
    } else if (char === "<") {
      endWord();
      target = "read";
      at += 1;
    } else if (char === "\n") {
      endWord();
      const ended = waiting;
      waiting = [];
      at += 1;
      for (const { end, of, isPlain } of ended) {
        const body = hereDocument(text, at, end);
        of.stdin += body.text;
        // A quoted end word disables substitutions.
        if (!isPlain) for (const inner of substitutions(body.text)) inside(inner);
        at = body.next;
      }
      endCommand();
    } else if (/[;&|(){}]/u.test(char) && (!/[{}]/u.test(char) || isGroupBrace(text, at, word))) {
      endCommand();
      at += 1;
    } else if (char === "#" && word === null) {
      at = endOr(text.indexOf("\n", at), text);
    } else if (/\s/u.test(char)) {
      endWord();
      at += 1;
    } else {
      add(char);
      at += 1;
    }
  }
  endCommand();
  return found;
}

function emptyCommand(): Draft {
  return { words: [], writesTo: [], stdin: "", readsFrom: [] };
}

function endOr(index: number, text: string): number {
  return index === -1 ? text.length : index;
}

/** A brace groups commands only as a separate word; `a{b,c}` is a pattern. */
function isGroupBrace(text: string, at: number, word: string | null): boolean {
  return word === null && /^(?:\s|;|$)/u.test(text.charAt(at + 1));
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return at;
    else if (text.startsWith("$(", at)) at = closingParen(text, at + 2);
  }
  return text.length;
}

function closingParen(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "'") at = endOr(text.indexOf("'", at + 1), text);
    else if (char === "(") depth += 1;
    else if (char === ")" && --depth === 0) return at;
  }
  return text.length;
}

const ansiLetters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", e: "\u001b" };

/** `$'…'`: the only quotes with numeric escapes. */
function ansiQuoted(text: string, from: number): { readonly text: string; readonly next: number } {
  let end = from;
  while (end < text.length && text.charAt(end) !== "'") end += text.charAt(end) === "\\" ? 2 : 1;
  const unescaped = text
    .slice(from, end)
    .replace(/\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|([0-7]{1,3})|([^]))/gu, (_, x, u, octal, letter) =>
      letter === undefined
        ? String.fromCharCode(Number.parseInt(x ?? u ?? octal, octal === undefined ? 16 : 8))
        : (ansiLetters[letter] ?? letter),
    );
  return { text: unescaped, next: end + 1 };
}

function substitutions(quoted: string): readonly string[] {
  const found: string[] = [];
  for (let at = quoted.indexOf("$("); at !== -1; at = quoted.indexOf("$(", at + 2))
    found.push(quoted.slice(at + 2, closingParen(quoted, at + 2)));
  return [...found, ...[...quoted.matchAll(/`([^`]*)`/gu)].map(([, inner = ""]) => inner)];
}

function hereDocument(
  text: string,
  from: number,
  end: string,
): { readonly text: string; readonly next: number } {
  let at = from;
  while (at < text.length) {
    const stop = endOr(text.indexOf("\n", at), text);
    if (text.slice(at, stop).replace(/^\t+/u, "") === end) return { text: text.slice(from, at), next: stop };
    at = stop + 1;
  }
  return { text: text.slice(from), next: text.length };
}
