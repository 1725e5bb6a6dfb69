/**
 * Tests inside Rust source files: modules under `#[cfg(test)]`, functions under `#[test]`, and doc examples. No path rule
 * can freeze them, because their file belongs to the implementation; the tests that existed when RED passed must stay, and
 * new ones may be added.
 */
import { languageOf, readCode } from "./code-text.ts";
import { closing } from "./script.ts";

/** Paths in which an earlier test was removed or changed. */
export function lostInlineTests(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  return [...before].flatMap(([path, text]) => {
    const kept = inlineTests(path, now.get(path) ?? "");
    const isWhole = inlineTests(path, text).every((one) => takeOne(kept, one));
    return isWhole ? [] : [path];
  });
}

function takeOne(list: string[], wanted: string): boolean {
  const at = list.indexOf(wanted);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** The tests of a text, each normalised against formatting. */
function inlineTests(path: string, text: string): string[] {
  if (languageOf(path) !== "rust") return [];
  return [...functions(text), ...examples(text)].map((one) => one.replace(/\s+/g, " ").trim());
}

/**
 * Whether only the tests of a source file changed and all earlier ones remain: a test writer may make such a change. Other
 * text is compared without formatting.
 */
export function changesTestsAlone(
  path: string,
  before: string | undefined,
  now: string | undefined,
): boolean {
  if (languageOf(path) !== "rust" || before === undefined || now === undefined) return false;
  const isSame = outside(before) === outside(now);
  return isSame && lostInlineTests(new Map([[path, before]]), new Map([[path, now]])).length === 0;
}

/** Whether a line of a source file, from 1, belongs to its tests. */
export function isInlineTest(path: string, text: string, line: number): boolean {
  if (languageOf(path) !== "rust") return false;
  const lineAt = (at: number) => text.slice(0, at).split("\n").length;
  return rustTestBlocks(text).some(({ start, end }) => lineAt(start) <= line && line <= lineAt(end));
}

function outside(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of rustTestBlocks(text)) {
    rest += text.slice(from, start);
    from = end;
  }
  return (rest + text.slice(from))
    .replace(/^\s*\/\/[/!].*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Replaces the tests of the old text by those of the new one, block by block, and appends additional ones. Returns the old
 * text where neither has tests.
 */
export function withTestsOf(path: string, before: string, now: string): string {
  if (languageOf(path) !== "rust") return before;
  const blocks = rustTestBlocks(now).map(({ start, end }) => now.slice(start, end));
  let text = "";
  let from = 0;
  for (const { start, end } of rustTestBlocks(before)) {
    text += before.slice(from, start) + (blocks.shift() ?? "");
    from = end;
  }
  const rest = before.slice(from);
  return blocks.length === 0 ? text + rest : `${text}${rest.trimEnd()}\n\n${blocks.join("\n\n")}\n`;
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly isModule: boolean;
}

/** Ranges of the items under `#[cfg(test)]` or `#[test]`, including their attributes. */
export function rustTestBlocks(text: string): readonly Block[] {
  const { code } = readCode(text, "rust");
  const found: Block[] = [];
  let end = 0;
  for (const match of code.matchAll(/#\[\s*(?:cfg\s*\(\s*test\s*\)|(?:\w+\s*::\s*)*test\b[^\]]*)\s*\]/g)) {
    if (match.index < end) continue;
    const brace = code.indexOf("{", match.index);
    const semicolon = code.indexOf(";", match.index);
    const isBlock = brace !== -1 && (semicolon === -1 || brace < semicolon);
    end = isBlock ? closing(code, brace) + 1 : semicolon === -1 ? code.length : semicolon + 1;
    found.push({ start: match.index, end, isModule: isBlock && code.startsWith("#[cfg", match.index) });
  }
  return found;
}

/** Includes helpers: everything under `#[cfg(test)]` affects what the tests prove. */
function functions(text: string): readonly string[] {
  return rustTestBlocks(text).flatMap(({ start, end, isModule }) => {
    const block = text.slice(start, end);
    return isModule ? parts(block) : [block];
  });
}

/** The items of a test module, so that adding a test changes no other. */
function parts(block: string): readonly string[] {
  const { code } = readCode(block, "rust");
  const open = code.indexOf("{");
  const found: string[] = [block.slice(0, open)];
  let start = open + 1;
  for (let at = start; at < code.length - 1; at++) {
    const char = code.charAt(at);
    if (char === "(" || char === "[") at = closing(code, at);
    else if (char === "{" || char === ";") {
      const end = char === ";" ? at : closing(code, at);
      found.push(block.slice(start, end + 1));
      start = end + 1;
      at = end;
    }
  }
  return found;
}

function examples(text: string): readonly string[] {
  const found: string[] = [];
  let current: string[] | null = null;
  for (const line of text.split("\n")) {
    const doc = /^\s*\/\/[/!] ?(.*)$/.exec(line)?.[1];
    if (doc === undefined) current = null;
    else if (/^\s*```/.test(doc)) {
      if (current !== null) found.push(current.join("\n"));
      current = current === null ? [doc] : null;
    } else current?.push(doc);
  }
  return found;
}
