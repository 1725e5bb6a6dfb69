/** Size measurements of code before and after a change, for the reviewer; never a verdict (TDP-35). */
import { languageOf, readCode } from "./code-text.ts";
import { readScript } from "./script.ts";

export interface CodeSize {
  /** Lines with code. */
  readonly lines: number;
  /** Number of branching points: a simple measure of complexity. */
  readonly branches: number;
}

/** path -> text. */
export type Texts = ReadonlyMap<string, string>;

export function sizeOf(texts: Texts): CodeSize {
  let lines = 0;
  let branches = 0;
  for (const [path, text] of texts) {
    const code = codeOf(path, text);
    lines += code.split("\n").filter((line) => line.trim() !== "").length;
    branches += [...code.matchAll(decisions)].length;
  }
  return { lines, branches };
}

/** The numbers that a row shows. */
export function sizeNumbers(before: Texts, after: Texts) {
  const [old, now] = [sizeOf(before), sizeOf(after)];
  return {
    files_changed: new Set([...before.keys(), ...after.keys()]).size,
    lines_before: old.lines,
    lines_after: now.lines,
    branches_before: old.branches,
    branches_after: now.branches,
  };
}

/** The code with the content of strings and comments blanked. */
export function codeOf(path: string, text: string): string {
  const language = languageOf(path);
  return (language === null ? readScript(text) : readCode(text, language)).code;
}

const decisions =
  /(?<![\p{L}\p{N}_$.])(?:if|elif|for|while|case|catch|except|match|select|and|or)(?![\p{L}\p{N}_$])|&&|\|\||\?\?|\?(?![.?:,)=])(?=[^\n]*:)/gu;
