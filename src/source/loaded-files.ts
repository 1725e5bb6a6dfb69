/** Tells helpers of tests from source: what a test loads or names, and what a helper looks like (CORE-27). Pure. */
import { languageOf } from "./code-text.ts";
import { importedFiles } from "./imported-files.ts";
import { candidates, joinBelow } from "./module-paths.ts";
import { isTestText } from "./test-marks.ts";

export interface Loaded {
  /** Files of the project that the text imports or names by a literal path. */
  readonly files: readonly string[];
  /** It imports a file of the project that does not exist yet. */
  readonly lacks: boolean;
}

interface Files {
  has(path: string): boolean;
  /** Whether a folder at the root, or below `src`, has this name. */
  hasFolder(name: string): boolean;
}

const literal = /(\b(?:from|import|require)\s*\(?\s*)?(["'`])([^"'`\s\\]{1,200})\2/gu;
const pythonImport = /^[ \t]*(?:from|import)[ \t]+([A-Za-z_][\w.]*)/gmu;

/** Reads literals, also in comments: many tests are read at each RED. */
export function loadedBy(path: string, text: string, files: Files): Loaded {
  const isPython = languageOf(path) === "python";
  const literals = [...text.matchAll(literal)].map(([, isImport, , name = ""]) => ({
    name,
    isImport: isImport !== undefined,
  }));
  const folder = path.split("/").slice(0, -1).join("/");
  const data = literals
    .flatMap(({ name }) => (/[./]/u.test(name) ? [joinBelow(folder, name), joinBelow("", name)] : []))
    .filter((name) => files.has(name));
  if (isPython) {
    const imported = importedFiles(path, text, (one) => files.has(one));
    const lacks = [...text.matchAll(pythonImport)].some(
      ([, module = ""]) => files.hasFolder(module.split(".")[0] ?? "") && !resolves(module, path, files),
    );
    return { files: [...new Set([...data, ...imported])], lacks };
  }
  const modules = literals
    .filter(({ name, isImport }) => isImport && name.startsWith("."))
    .map(({ name }) => candidates(path, name).find((one) => files.has(one)));
  return {
    files: [...new Set([...data, ...modules.flatMap((one) => one ?? [])])],
    lacks: modules.includes(undefined),
  };
}

function resolves(module: string, path: string, files: Files): boolean {
  return (
    importedFiles(path, `import ${module}\n`, (one) => files.has(one)).length > 0 ||
    files.hasFolder(module.replaceAll(".", "/"))
  );
}

/** Modules that only tests use. `node:assert` is not one: programs assert, too. */
const testModules =
  /(?:\b(?:from|import|require)\s*\(?\s*["'](?:node:test|vitest|@vitest\/|@jest\/|jest-|mocha|chai|sinon|expect|supertest|@testing-library\/)[^"'\n]*["'])|^[ \t]*(?:from|import)[ \t]+(?:pytest|unittest|hypothesis)\b/mu;
const helperNames =
  /^(?:testing|tests?[-_]?(?:utils?|helpers?|support|kit|tools|lib|doubles)|(?:utils?|helpers?|support)[-_]?tests?|mocks?|fakes?|__mocks__)$/iu;

/** Whether a file of the source folders looks like a helper of tests. Its loaders decide then. */
export function looksLikeHelper(path: string, text: string): boolean {
  if (!isTestText(path)) return false;
  const parts = path.replace(/\.[^./]+$/u, "").split("/");
  return parts.some((part) => helperNames.test(part)) || testModules.test(text);
}

const helperWords =
  /(?:^|[-_./])(?:helpers?|support|asserts?|assertions?|expects?|expectations?|matchers?|factory|factories|stubs?)(?:[-_./]|$)/iu;
const asserts = /["'](?:node:)?assert(?:\/strict)?["']|^[ \t]*assert\b/mu;

/** The same for a file outside of the folders of source: there a weaker sign is enough. */
export function resemblesHelper(path: string, text: string): boolean {
  return isTestText(path) && (looksLikeHelper(path, text) || helperWords.test(path) || asserts.test(text));
}

/** The word by which imports end that mean this file: its name, or that of its folder. */
export function importWord(path: string): string {
  const [name = path, folder] = path.split("/").toReversed();
  const stem = name.replace(/\.[^.]+$/u, "");
  return /^(?:index|__init__)$/u.test(stem) ? (folder ?? stem) : stem;
}

/** Whether a test file is named after a source file, such as `same.test.js` or `test_same.py`. */
export function isOwnTest(test: string, source: string): boolean {
  const name = (test.split("/").at(-1) ?? "").replace(/\.[^.]+$/u, "");
  return name.replace(/^test[-_]|[-_.](?:test|spec)s?$/giu, "") === importWord(source);
}

/** Whether a source file may import another: by its path, or by a name that ends like it. */
export function mayImport(path: string, text: string, other: string): boolean {
  if (importedFiles(path, text, (one) => one === other).length > 0) return true;
  const word = importWord(other);
  const names = [...text.matchAll(quotedName)].map(([, name = ""]) => name.replace(/\.[cm]?[jt]sx?$/u, ""));
  return (
    names.some((name) => /[/.:]/u.test(name) && name.split(/[/.:]/u).at(-1) === word) ||
    [...text.matchAll(pythonLine)].some(([, line = ""]) => line.split(/\W+/u).includes(word))
  );
}

/** A name in quotes that is not relative. */
const quotedName = /["'`]([^."'`\s][^"'`\s]*)["'`]/gu;
const pythonLine = /^[ \t]*(?:from|import)[ \t]([^"'\n]*)/gmu;
