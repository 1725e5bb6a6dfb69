/** Marks in the text of a Python test file. */
import { indentedBlock, readCode } from "./code-text.ts";
import { pythonImports } from "./imports-python.ts";
import { kindOf, type PathRules } from "./paths.ts";
import { literalAt, type Script } from "./script.ts";
import { markIn, type SourceMark, type TextFile } from "./test-marks-javascript.ts";

const hidden: readonly (readonly [RegExp, SourceMark["kind"]])[] = [
  [/\bmark\s*\.\s*(?:skip|skipif)\b/g, "skip"],
  [/\bpytest\s*\.\s*(?:skip|importorskip)\s*\(/g, "skip"],
  [/@\s*(?:unittest\s*\.\s*)?skip(?:If|Unless)?\b/g, "skip"],
  [/\bself\s*\.\s*skipTest\s*\(/g, "skip"],
  [/\braise\s+(?:unittest\s*\.\s*)?SkipTest\b/g, "skip"],
  [/\b__test__\s*=\s*False\b/g, "skip"],
  [/\bcollect_ignore(?:_glob)?\s*=/g, "skip"],
  [/\bmark\s*\.\s*xfail\b/g, "todo"],
  [/\bpytest\s*\.\s*xfail\s*\(/g, "todo"],
  [/@\s*(?:unittest\s*\.\s*)?expectedFailure\b/g, "todo"],
];
const definition = /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(/gm;
const asserts =
  /(?<![\w.])assert\b|\bself\s*\.\s*(?:assert\w*|fail)\s*\(|\b(?:pytest\s*\.\s*)?(?:raises|warns|deprecated_call|fail)\s*\(|\.\s*assert_\w+\s*\(|\bassert_\w+\s*\(/;

/** How to recognise source files: the path rules, and whether the commit or its plan contains a path. */
export interface PythonSources {
  readonly rules: PathRules;
  has(path: string): boolean;
}

export function pythonMarks(file: TextFile, sources: PythonSources): readonly SourceMark[] {
  const script = readCode(file.text, "python");
  const mark = markIn(file, script);
  const tests = functions(script).filter(({ name }) => name.startsWith("test"));
  return [
    ...hidden.flatMap(([pattern, kind]) =>
      [...script.code.matchAll(pattern)].map((match) => mark(kind, match.index, match[0])),
    ),
    ...withoutAssertion(script, tests, sources).map(({ name, start }) => mark("no_assertion", start, name)),
    ...replacedTests(script, tests).map(({ name, start }) => mark("same_name", start, name)),
    ...mockedUnits(script, sources).map(({ at, target }) => mark("mocks_unit", at, target)),
  ].toSorted((a, b) => a.line - b.line);
}

export function countPythonTests(text: string): number {
  return functions(readCode(text, "python")).filter(({ name }) => name.startsWith("test")).length;
}

interface PythonFunction {
  readonly name: string;
  readonly start: number;
  readonly body: string;
}

function functions(script: Script): readonly PythonFunction[] {
  return [...script.code.matchAll(definition)].map((match) => {
    const start = match.index + match[0].search(/\S/);
    const block = indentedBlock(script.code, start);
    return { name: match[1] ?? "", start, body: script.code.slice(start + match[0].length, block.end) };
  });
}

/** Tests that a later one of the same name in the same class or module replaces, so that no runner sees them. */
function replacedTests(script: Script, tests: readonly PythonFunction[]): readonly PythonFunction[] {
  const placed = tests.map((test) => ({ test, place: `${classAround(script, test.start)} ${test.name}` }));
  return placed
    .filter(({ place }, at) => placed.slice(at + 1).some((other) => other.place === place))
    .map(({ test }) => test);
}

/** Place of the nearest line above with less indentation; -1 at the top level. */
function classAround({ code }: Script, start: number): number {
  const lineStart = code.lastIndexOf("\n", start - 1) + 1;
  let [at, depth] = [lineStart, start - lineStart];
  while (at > 0 && depth > 0) {
    const before = code.lastIndexOf("\n", at - 2) + 1;
    const line = code.slice(before, at);
    at = before;
    if (line.trim() !== "" && line.search(/\S/) < depth) return before;
  }
  return -1;
}

/** A test asserts if its body does, or if it calls a function of this file or of a test helper that may. */
function withoutAssertion(
  script: Script,
  tests: readonly PythonFunction[],
  sources: PythonSources,
): readonly PythonFunction[] {
  const own = functions(script).filter(({ body, name }) => !name.startsWith("test") && asserts.test(body));
  const imported = pythonImports(script).flatMap((one) =>
    sourceOf(one.module, sources) === null && !isFramework(one.module)
      ? one.names.map(({ local }) => local)
      : [],
  );
  const helpers = new Set([...own.map(({ name }) => name), ...imported]);
  return tests.filter(
    ({ body }) =>
      !asserts.test(body) &&
      ![...body.matchAll(/(\w+)\s*[(.]/g)].some((match) => helpers.has(match[1] ?? "")),
  );
}

function isFramework(module: string): boolean {
  return /^(?:pytest|unittest|os|sys|re|json|time|math|typing|datetime|pathlib|collections|itertools)\b/.test(
    module,
  );
}

/** The source file of a dotted name, in any possible package root. */
function sourceOf(module: string, { rules, has }: PythonSources): string | null {
  const path = module.replace(/^\.+/, "").replaceAll(".", "/");
  const found = [`${path}.py`, `src/${path}.py`, `${path}/__init__.py`];
  return found.find((one) => has(one) && kindOf(one, rules) === "source") ?? null;
}

const patches =
  /(?:@|\b)(?:mock\s*\.\s*)?patch\s*\(|\bmonkeypatch\s*\.\s*setattr\s*\(|\bmocker\s*\.\s*patch\s*\(/g;
const replaced = /\bsys\s*\.\s*modules\s*\[/g;

/** Names of replaced source modules in a file that imports no other source module. */
function mockedUnits(script: Script, sources: PythonSources): readonly { at: number; target: string }[] {
  const mocked = [patches, replaced].flatMap((pattern) =>
    [...script.code.matchAll(pattern)].flatMap((match) => {
      const target = literalAt(script, match.index + match[0].length)?.value;
      if (target === undefined) return [];
      const module = target.replace(/\.[^.]*$/, "");
      return [module, target].some((one) => sourceOf(one, sources) !== null)
        ? [{ at: match.index, target }]
        : [];
    }),
  );
  const targets = new Set(mocked.map(({ target }) => target));
  const units = pythonImports(script)
    .filter(({ module }) => sourceOf(module, sources) !== null)
    .flatMap(({ module, names }) =>
      names.length === 0 ? [module] : names.map(({ name }) => `${module}.${name}`),
    );
  const isMocked = (unit: string) => targets.has(unit) || targets.has(unit.replace(/\.[^.]*$/, ""));
  return units.some((unit) => !isMocked(unit)) ? [] : mocked;
}
