/** Reads the changed test files for tests that cannot fail by their assertions (PRV-18). */
import type { WeakTests } from "../../gates/red/red-facts.ts";
import { weakTestsOf } from "../../source/cannot-fail/weak-tests.ts";
import { languageOf } from "../../source/code-text.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { loadParser } from "../../source/syntax.ts";
import { isTestText } from "../../source/test-marks.ts";
import { freshMarks } from "../../source/test-marks-javascript.ts";
import type { Project } from "../project/project.ts";

export interface WeakRequest {
  readonly changed: readonly string[];
  readonly rules: PathRules;
  readonly base: Project;
  readonly head: Project;
  readonly planned: readonly string[];
}

/** Tests that were the same on the base are left out. */
export async function weakFacts({ changed, rules, base, head, planned }: WeakRequest): Promise<WeakTests> {
  const paths = changed.filter((path) => kindOf(path, rules) === "test" && isTestText(path));
  const parse = await loadParser();
  const has = (path: string) => head.files.has(path) || planned.includes(path);
  const before = await base.texts(paths);
  const now = [...(await head.texts(paths))];
  const weakIn = (path: string, text: string | undefined) =>
    text === undefined ? [] : weakTestsOf({ path, text }, { rules, has, parse });
  const isRead = (path: string) => [null, "python"].includes(languageOf(path));
  return {
    tests: now.flatMap(([path, text]) => freshMarks(weakIn(path, text), weakIn(path, before.get(path)))),
    others: now.filter(([path]) => !isRead(path)).length,
  };
}
