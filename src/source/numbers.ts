/** Numbers about code before and after a change: to be shown to whoever reviews it, never a verdict (TDP-35). */
import { languageOf, readCode } from "./code-text.ts";
import { readScript } from "./script.ts";

export interface Size {
  /** Lines that hold code. */
  readonly lines: number;
  /** Places where the code decides: a simple measure of complexity. */
  readonly branches: number;
}

/** path -> text. */
export type Texts = ReadonlyMap<string, string>;

export function sizeOf(texts: Texts): Size {
  let lines = 0;
  let branches = 0;
  for (const [path, text] of texts) {
    const code = codeOf(path, text);
    lines += code.split("\n").filter((line) => line.trim() !== "").length;
    branches += [...code.matchAll(decisions)].length;
  }
  return { lines, branches };
}

/** As a row shows them. */
export function sizeNumbers(before: Texts, after: Texts): Readonly<Record<string, number>> {
  const [old, now] = [sizeOf(before), sizeOf(after)];
  return {
    files_changed: new Set([...before.keys(), ...after.keys()]).size,
    lines_before: old.lines,
    lines_after: now.lines,
    branches_before: old.branches,
    branches_after: now.branches,
  };
}

/** The text without what stands in strings and comments. */
export function codeOf(path: string, text: string): string {
  const language = languageOf(path);
  return (language === null ? readScript(text) : readCode(text, language)).code;
}

const decisions =
  /(?<![\p{L}\p{N}_$.])(?:if|elif|for|while|case|catch|except|match|select|and|or)(?![\p{L}\p{N}_$])|&&|\|\||\?\?|\?(?![.?:,)=])(?=[^\n]*:)/gu;
