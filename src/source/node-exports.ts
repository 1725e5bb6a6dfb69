/** Whether a file declares a public name, as far as its text shows; used for the public interface of a graph node. */
import { assertNever } from "../lib/assert-never.ts";
import { hasWord, wordsAt } from "../lib/find-word.ts";
import { languageOf, readCode, type Language } from "./code-text.ts";

/** For all languages except JavaScript, whose `export *` refers to other files. */
export function declares(path: string, text: string, name: string): boolean {
  const language = languageOf(path);
  if (language === null) return hasWord(text, name);
  const { code } = readCode(text, language);
  return wordsAt(code, name).some((at) => isDeclaredAt({ code, at, end: at + name.length }, language));
}

interface NameAt {
  readonly code: string;
  readonly at: number;
  readonly end: number;
}

function isDeclaredAt({ code, at, end }: NameAt, language: Language): boolean {
  const line = code.slice(code.lastIndexOf("\n", at - 1) + 1, at);
  switch (language) {
    case "python":
      return (
        /^(?:async[ \t]+)?(?:def|class)[ \t]+$/u.test(line) ||
        (line === "" && /^[ \t]*[:=]/u.test(code.slice(end, end + 200))) ||
        /^(?:from|import)[ \t]/u.test(line) ||
        isInPythonList(code, at)
      );
    case "go":
      return /^(?:func[ \t]*(?:\([^)]*\)[ \t]*)?|(?:type|var|const)[ \t]+|[ \t]+)$/u.test(line);
    case "rust":
      return (
        /(?<![\p{L}\p{N}_])pub(?:[ \t]*\([^)]*\))?[ \t]/u.test(since(code, at, ";={")) ||
        /(?<![\p{L}\p{N}_])pub[ \t]+use(?![\p{L}\p{N}_])/u.test(since(code, at, ";"))
      );
    default:
      return assertNever(language);
  }
}

/** Inside a multi-line `from shop import (`. */
function isInPythonList(code: string, at: number): boolean {
  const open = code.lastIndexOf("(", at - 1);
  if (open === -1 || code.lastIndexOf(")", at - 1) > open) return false;
  return /^from[ \t]/u.test(code.slice(code.lastIndexOf("\n", open - 1) + 1, open));
}

/** The text before an index, back to the last of the given characters. */
function since(code: string, at: number, ends: string): string {
  return code.slice(Math.max(...[...ends].map((end) => code.lastIndexOf(end, at - 1))) + 1, at);
}
