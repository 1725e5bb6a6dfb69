/** Dispatches to the rules of a test file's language. */
import { assertNever } from "../lib/assert-never.ts";
import { languageOf } from "./code-text.ts";
import type { PathRules } from "./paths.ts";
import { countGoTests, countRustTests, goMarks, rustMarks } from "./test-marks-compiled.ts";
import { countPythonTests, pythonMarks } from "./test-marks-python.ts";
import {
  countJavascriptTests,
  javascriptMarks,
  type SourceMark,
  type TextFile,
} from "./test-marks-javascript.ts";

/** Whether the text of a file can be searched for tests. JavaScript runners also accept other extensions: `a.es6`, `a.spec`. */
export function isTestText(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|es6?|jsm|tests?|specs?|units?|checks?)$/.test(path) || languageOf(path) !== null;
}

/** @param has whether the commit or its plan contains a file */
export function marksOfTest(
  file: TextFile,
  rules: PathRules,
  has: (path: string) => boolean,
): readonly SourceMark[] {
  const language = languageOf(file.path);
  switch (language) {
    case "python":
      return pythonMarks(file, { rules, has });
    case "go":
      return goMarks(file);
    case "rust":
      return rustMarks(file);
    case null:
      return javascriptMarks(file, rules);
    default:
      return assertNever(language);
  }
}

/** The number of tests that a text visibly defines. */
export function countTestsIn({ path, text }: TextFile): number {
  const language = languageOf(path);
  switch (language) {
    case "python":
      return countPythonTests(text);
    case "go":
      return countGoTests(text);
    case "rust":
      return countRustTests(text);
    case null:
      return countJavascriptTests(text);
    default:
      return assertNever(language);
  }
}
