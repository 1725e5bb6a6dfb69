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

function weakTestsIn(file: TextFile, { parse, ...sources }: WeakTestContext): readonly WeakTest[] {
  const language = languageOf(file.path);
  const isSource = leadsToSource(file.path, sources);
  if (language === "python") return weakPythonTests(file.text, isSource);
  return language === null ? weakScriptTests(parse, file, isSource) : [];
}

/** Whether an import of a test file, as written, leads to source. */
export function leadsToSource(
  file: string,
  { rules, has }: Pick<WeakTestContext, "rules" | "has">,
): (from: string) => boolean {
  if (languageOf(file) !== "python") return (from) => kindOf(joinPath(file, from), rules) === "source";
  return (module) => {
    const path = module.replace(/^\.+/, "").replaceAll(".", "/");
    const files = [`${path}.py`, `src/${path}.py`, `${path}/__init__.py`, `src/${path}/__init__.py`];
    return files.some((one) => has(one) && kindOf(one, rules) === "source");
  };
}
