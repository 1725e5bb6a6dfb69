/** Finds tests that cannot fail by their assertions, in the language of their file (PRV-18). */
import { languageOf } from "../code-text.ts";
import { joinPath } from "../module-paths.ts";
import { kindOf, type PathRules } from "../paths.ts";
import type { Parse } from "../syntax.ts";
import type { TextFile } from "../test-marks-javascript.ts";
import { weakPythonTests } from "./python-weak.ts";
import { weakScriptTests } from "./script-weak.ts";
import type { WeakTest } from "./weak-test.ts";

/** A test that cannot fail, with its file. */
export interface WeakTestOfFile extends WeakTest {
  readonly path: string;
  /** Identifies it before and after other lines moved. */
  readonly what: string;
}

export interface WeakTestContext {
  readonly rules: PathRules;
  /** Whether the commit or its plan contains a file. */
  has(path: string): boolean;
  readonly parse: Parse;
}

/** Empty for a language in which it is not measured. */
export function weakTestsOf(
  file: TextFile,
  { rules, has, parse }: WeakTestContext,
): readonly WeakTestOfFile[] {
  const found = weakTestsIn(file, { rules, has, parse });
  return found.map((test) => ({ ...test, path: file.path, what: `${test.title}: ${test.why}` }));
}

function weakTestsIn(file: TextFile, { rules, has, parse }: WeakTestContext): readonly WeakTest[] {
  const language = languageOf(file.path);
  if (language === "python")
    return weakPythonTests(file.text, (module) => {
      const path = module.replace(/^\.+/, "").replaceAll(".", "/");
      const files = [`${path}.py`, `src/${path}.py`, `${path}/__init__.py`, `src/${path}/__init__.py`];
      return files.some((one) => has(one) && kindOf(one, rules) === "source");
    });
  if (language !== null) return [];
  return weakScriptTests(parse, file, (from) => kindOf(joinPath(file.path, from), rules) === "source");
}
