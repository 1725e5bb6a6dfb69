/** Splits a test file into the text of each test and the text around them, in every supported language. */
import { assertNever } from "../../lib/assert-never.ts";
import { indentedBlock, languageOf, readCode, type Language } from "../../source/code-text.ts";
import { closing } from "../../source/script.ts";
import { textSeparator, testTexts, type TextFile } from "../../source/test-marks-javascript.ts";

export interface TestTexts {
  /** Title or function name -> text; several tests of one name are joined. */
  readonly tests: ReadonlyMap<string, string>;
  /** Title or function name -> the text of each test of this name. */
  readonly each: ReadonlyMap<string, readonly string[]>;
  /** The text outside of all tests: helpers, tables, hooks, imports. */
  readonly around: string;
}

export function textsOfTests({ path, text }: TextFile): TestTexts {
  const language = languageOf(path);
  const tests = language === null ? testTexts(text) : functions(text, language);
  const each = new Map([...tests].map(([title, own]) => [title, own.split(textSeparator)]));
  let around = text;
  for (const own of each.values()) for (const part of own) around = around.replace(part, () => "");
  return {
    tests: new Map([...each].map(([title, own]) => [title, own.join("\n")])),
    each,
    around,
  };
}

const definitions: Readonly<Record<Language, RegExp>> = {
  python: /^[ \t]*(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(/gm,
  go: /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm,
  rust: /(?:#\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case)\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*)(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
};

function functions(text: string, language: Language): ReadonlyMap<string, string> {
  const { code } = readCode(text, language);
  const found = new Map<string, string>();
  for (const match of code.matchAll(definitions[language])) {
    const start = match.index + match[0].search(/\S/);
    const own = text.slice(start, endOf(code, language, start, match.index + match[0].length));
    const name = match[1] ?? "";
    const before = found.get(name);
    found.set(name, before === undefined ? own : `${before}${textSeparator}${own}`);
  }
  return found;
}

function endOf(code: string, language: Language, start: number, from: number): number {
  switch (language) {
    case "python":
      return indentedBlock(code, start).end;
    case "go":
    case "rust": {
      const open = code.indexOf("{", from);
      return open === -1 ? code.length : closing(code, open) + 1;
    }
    default:
      return assertNever(language);
  }
}
