/** Whether a file offers a name to others, as far as its text tells; the public interface of a node is made of such names. */
import { assertNever } from "../lib/assert-never.ts";
import { languageOf, readCode, type Language } from "./code-text.ts";

/** For every language but JavaScript, whose `export *` leads to other files. */
export function declares(path: string, text: string, name: string): boolean {
  const language = languageOf(path);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, "u");
  if (language === null) return word.test(text);
  const { code } = readCode(text, language);
  return word.test(code) && declaration(language, escaped(name)).test(code);
}

export function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/u.test(path);
}

function declaration(language: Language, name: string): RegExp {
  const end = "(?![\\p{L}\\p{N}_])";
  switch (language) {
    case "python":
      return new RegExp(
        `^(?:(?:async[ \\t]+)?(?:def|class)[ \\t]+${name}${end}|${name}[ \\t]*[:=]|(?:from[ \\t][^\\n(]*\\([^)]*|(?:from|import)[ \\t][^\\n]*)(?<![\\p{L}\\p{N}_])${name}${end})`,
        "mu",
      );
    case "go":
      return new RegExp(
        `^(?:func[ \\t]*(?:\\([^)]*\\)[ \\t]*)?|(?:type|var|const)[ \\t]+|[ \\t]+)${name}${end}`,
        "mu",
      );
    case "rust":
      return new RegExp(
        `(?<![\\p{L}\\p{N}_])pub(?:[ \\t]*\\([^)]*\\))?[ \\t]+[^;={]*?${name}${end}|pub[ \\t]+use[^;]*${name}${end}`,
        "u",
      );
    default:
      return assertNever(language);
  }
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}
