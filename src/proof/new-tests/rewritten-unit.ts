/** Rewrites the source that test files import, in one checkout, and gives it its texts again. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { symlinkMode } from "../../git/objects/tree.ts";
import { rewrittenUnit } from "../../gates/red/reach.ts";
import type { Answer } from "../../gates/red/reach-script.ts";
import { importedFiles } from "../../source/imported-files.ts";
import { readPlainFile } from "../../lib/plain-file.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { loadParser } from "../../source/syntax.ts";
import { filesChanged, type Checkout } from "../checkout/checkout.ts";
import type { Project } from "../project/project.ts";

export interface RewrittenUnit {
  readonly checkout: Checkout;
  readonly head: Project;
  readonly rules: PathRules;
  /** Source files to rewrite in any case. */
  readonly unit?: readonly string[];
  /** The test files with their texts. */
  readonly texts: ReadonlyMap<string, string>;
  readonly answer: Answer;
}

/** @returns the former texts of the rewritten files */
export async function writeUnit(request: RewrittenUnit): Promise<ReadonlyMap<string, string>> {
  const { checkout, answer, unit = [] } = request;
  const parse = await loadParser();
  const originals = new Map<string, string>();
  for (const path of new Set([...unit, ...(await importedSource(request))])) {
    const text = await readPlainFile(join(checkout.path, path));
    if (text === null) continue; // a planned file that no test needs yet
    for (const one of rewrittenUnit({ path, text, answer, whole: true, parse })) {
      originals.set(path, text);
      await writeFile(join(checkout.path, one.path), one.content);
    }
  }
  filesChanged(checkout);
  return originals;
}

export async function restoreUnit(checkout: Checkout, originals: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of originals) await writeFile(join(checkout.path, path), text);
  filesChanged(checkout);
}

/** Source files that the tests import, directly or by an index. */
async function importedSource({ head, rules, texts }: RewrittenUnit): Promise<readonly string[]> {
  const has = (path: string) => head.files.has(path) && head.files.get(path)?.mode !== symlinkMode;
  const importsIn = (all: ReadonlyMap<string, string>) =>
    [...all].flatMap(([path, text]) => importedFiles(path, text, has));
  const direct = importsIn(texts).filter((path) => kindOf(path, rules) === "source");
  const indexes = direct.filter((path) => /(?:^|\/)(?:index\.[^/]+|__init__\.py)$/.test(path));
  return [...direct, ...importsIn(await head.texts(indexes))].filter(
    (path) => kindOf(path, rules) === "source",
  );
}
