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
  const texts = await textsIn(checkout, [...unit, ...(await importedSource(request))]);
  const rewritten = await rewriteFiles(checkout, texts, { answer, isWhole: () => true });
  filesChanged(checkout);
  return new Map([...texts].filter(([path]) => rewritten.has(path)));
}

/** The texts of files in a checkout, without those that are missing: no test needs a planned file yet. */
export async function textsIn(
  checkout: Checkout,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of new Set(paths)) {
    const text = await readPlainFile(join(checkout.path, path));
    if (text !== null) texts.set(path, text);
  }
  return texts;
}

interface Rewrite {
  readonly answer: Answer;
  /** Whether the whole file is the unit, and not what it re-exports of it. */
  readonly isWhole: (path: string) => boolean;
  /** Names that a test did not find on a class; see `lackingNames`. */
  readonly lacking?: readonly string[];
}

/** @param texts of the files before anything was rewritten @returns the paths of those that are rewritten now */
export async function rewriteFiles(
  checkout: Checkout,
  texts: ReadonlyMap<string, string>,
  { answer, isWhole, lacking = [] }: Rewrite,
): Promise<ReadonlySet<string>> {
  const parse = await loadParser();
  const rewritten = new Set<string>();
  for (const [path, text] of texts)
    for (const one of rewrittenUnit({ path, text, answer, whole: isWhole(path), parse }, lacking)) {
      rewritten.add(path);
      await writeFile(join(checkout.path, one.path), one.content);
    }
  return rewritten;
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
