/**
 * Tests that stand in a source file: modules under `#[cfg(test)]`, functions under `#[test]`, and examples in the
 * documentation of Rust. No path rule can freeze them, since their file is the implementation's; what stood there when RED
 * passed must stand there still, and more may come.
 */
import { languageOf, readCode } from "./code-text.ts";
import { closing } from "./script.ts";

/** Paths in which a test of before is gone or changed. */
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

/** The tests of a text one by one, without what formatting changes. */
function inlineTests(path: string, text: string): string[] {
  if (languageOf(path) !== "rust") return [];
  return [...functions(text), ...examples(text)].map((one) => one.replace(/\s+/g, " ").trim());
}

/**
 * Whether a source file changed in its tests alone, and kept those that it had: such a change is a test writer's. Text outside of
 * tests is compared without what formatting changes.
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

/** Whether a line of a source file, counted from 1, belongs to its tests. */
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

/** The text of before with the tests of now: block for block, more of them at its end. The same text where neither has any. */
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

/** Places of what stands under `#[cfg(test)]` or `#[test]`, with their attributes. */
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

/** Helpers beside them count too: whatever is under `#[cfg(test)]` decides what they prove. */
function functions(text: string): readonly string[] {
  return rustTestBlocks(text).flatMap(({ start, end, isModule }) => {
    const block = text.slice(start, end);
    return isModule ? parts(block) : [block];
  });
}

/** The items of a test module, so that a new test beside the old ones is no change of them. */
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
