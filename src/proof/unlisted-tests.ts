/** Finds changed test files that define tests and that the runner does not list: they would never run. */
import { posix } from "node:path";
import { titleOfTest } from "../evidence/test-ids.ts";
import { importsOf } from "../source/imports.ts";
import { kindOf, type PathRules } from "../source/paths.ts";
import { readScript } from "../source/script.ts";
import { countTestsIn, isTestText } from "../source/test-marks.ts";
import { textsOfTests } from "../gates/suite/test-texts.ts";
import type { Project } from "./project/project.ts";

export interface UnlistedRequest {
  readonly head: Project;
  /** The files that the runner lists. */
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly rules: PathRules;
}

/** A file that another test file loads may define tests for it without being listed. */
export async function unlistedTests({
  head,
  files,
  changed,
  rules,
}: UnlistedRequest): Promise<readonly string[]> {
  const taken = new Set(files);
  const left = changed.filter(
    (path) => kindOf(path, rules) === "test" && isTestText(path) && head.files.has(path) && !taken.has(path),
  );
  if (left.length === 0) return [];
  const texts = await head.texts(left);
  const holding = left.filter((path) => definesTests({ path, text: texts.get(path) ?? "" }));
  if (holding.length === 0) return [];
  const users = await head.texts([...files, ...changed].filter(isTestText));
  const named = new Set([...users].flatMap(([path, text]) => modulesIn(path, text)));
  return holding.filter((path) => !named.has(stemOf(path)));
}

/** Those of which no new test ran: another file may load them by a computed name. */
export async function withoutNewTests(
  unlisted: readonly string[],
  head: Project,
  ran: readonly string[],
): Promise<readonly string[]> {
  const texts = await head.texts(unlisted);
  const titles = new Set(ran.map(titleOfTest));
  return unlisted.filter((path) => {
    const { tests } = textsOfTests({ path, text: texts.get(path) ?? "" });
    return ![...tests.keys()].some((title) => titles.has(title));
  });
}

/** Whether a file defines tests at its top level; inside a function they depend on a caller. */
function definesTests(file: { readonly path: string; readonly text: string }): boolean {
  if (countTestsIn(file) === 0) return false;
  if (!/\.[cm]?[jt]sx?$/.test(file.path)) return true;
  return /^(?:it|test|describe|suite)\s*[.(]/mu.test(readScript(file.text).code);
}

/** Names of the modules that a text loads, without folders and extensions. */
function modulesIn(path: string, text: string): readonly string[] {
  if (/\.[cm]?[jt]sx?$/.test(path)) return importsOf(readScript(text)).map(({ from }) => stemOf(from));
  if (path.endsWith(".rs")) return [...text.matchAll(/\bmod\s+(\w+)\s*;/g)].map(([, name = ""]) => name);
  if (!path.endsWith(".py")) return [];
  const loads = [...text.matchAll(/^\s*(?:from|import)\s+(.+)$/gm)];
  return loads.flatMap(([, words = ""]) => words.split(/[^\p{L}\p{N}_]+/u));
}

function stemOf(path: string): string {
  const name = posix.basename(path).replace(/\.([cm]?[jt]sx?|py|rs)$/, "");
  return name === "mod" ? posix.basename(posix.dirname(path)) : name;
}
