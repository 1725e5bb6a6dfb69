/** Finds the tests of a Python file that cannot fail by their assertions; see weak-test.ts. */
import { linesBelow, pythonLines, readPython, type PythonLine } from "../flip/python-lines.ts";
import { pythonImports } from "../imports-python.ts";
import { lineOf, type Script } from "../script.ts";
import { placeWeakness } from "./python-places.ts";
import { valueWeakness } from "./python-values.ts";
import { able, weakTest, type Judged, type WeakTest } from "./weak-test.ts";

/** @param isSource whether a module, as written, leads to source; other modules of the project may hold assertions */
export function weakPythonTests(text: string, isSource: (module: string) => boolean): readonly WeakTest[] {
  const script = readPython(text);
  const file = pythonFacts(script, isSource);
  const { lines } = file;
  return lines.flatMap((line, at) => {
    const [, isAsync, title] = /^(async\s+)?def\s+(test\w*)/.exec(line.code) ?? [];
    if (title === undefined) return [];
    const body = linesBelow(lines, at);
    // A decorator may run a coroutine or a generator.
    const isDecorated = lines[at - 1]?.code.startsWith("@") === true;
    const never = isDecorated ? null : neverRuns(body, isAsync !== undefined && isInTestCase(lines, at));
    const judged = judgedIn(body, title, file);
    const weak =
      never === null || judged.length === 0
        ? weakTest(title, judged)
        : { title, line: lineOf(script, line.start), why: never, isCertain: true };
    return weak === null ? [] : [weak];
  });
}

export function pythonFacts(script: Script, isSource: (module: string) => boolean): PythonFacts {
  const lines = pythonLines(script);
  return { script, lines, helpers: helpersOf(script, lines, isSource) };
}

export interface PythonFacts {
  readonly script: Script;
  readonly lines: readonly PythonLine[];
  readonly helpers: ReadonlySet<string>;
}

/** A coroutine that unittest never awaits, or a generator that nothing iterates. */
function neverRuns(body: readonly PythonLine[], isForgotten: boolean): "not awaited" | "not executed" | null {
  if (isForgotten) return "not awaited";
  const own = body.filter((_line, at) => !body.slice(0, at).some((other) => isInside(body, other, at)));
  return own.some(({ code }) => /^(?:\w+\s*=\s*)?\(?yield\b/.test(code)) ? "not executed" : null;
}

/** Whether a line belongs to an inner function or class that starts at another. */
function isInside(body: readonly PythonLine[], head: PythonLine, at: number): boolean {
  return (
    /^(?:async\s+)?(?:def|class)\b/.test(head.code) &&
    linesBelow(body, body.indexOf(head)).includes(body[at] ?? head)
  );
}

function isInTestCase(lines: readonly PythonLine[], at: number): boolean {
  const depth = lines[at]?.indent.length ?? 0;
  const head = lines.slice(0, at).findLast(({ indent }) => indent.length < depth);
  return head !== undefined && /^class\b.*\(\s*(?:unittest\s*\.\s*)?TestCase\s*\)/.test(head.code);
}

function judgedIn(
  body: readonly PythonLine[],
  title: string,
  { script, helpers }: PythonFacts,
): readonly Judged[] {
  return body.flatMap((line, at): readonly Judged[] => {
    if (!mayAssert(line.code, helpers)) return [];
    if (!isPlainAssertion(line)) return [able];
    const found = placeWeakness({ line, at, body, script }) ?? valueWeakness(line, { script, body, title });
    return [found === null ? able : { isAble: false, line: lineOf(script, line.start), ...found }];
  });
}

/** One assertion and nothing else. */
export function isPlainAssertion({ code }: PythonLine): boolean {
  return /^(?:assert(?![\w.])|self\s*\.\s*assert\w+)/.test(code) && !code.includes(";");
}

const asserting =
  /(?<![\w.])(?:assert|raise)\b|\bself\s*\.\s*(?:assert\w*|fail)\b|(?<!\w)\w*(?:assert|verify|check|expect|ensure|validate|should|raises|warns|deprecated_call|fail)\w*\s*\(/i;

export function mayAssert(code: string, helpers: ReadonlySet<string>): boolean {
  if (/^(?:async\s+)?(?:def|class)\b|^except\b|^@/.test(code)) return false;
  if (asserting.test(code)) return true;
  return [...code.matchAll(/(?<![\w.])(\w+)\s*[(.]/g)].some(([, name = ""]) => helpers.has(name));
}

/** Functions of the file that assert, and names from modules that are not source. */
function helpersOf(
  script: Script,
  lines: readonly PythonLine[],
  isSource: (module: string) => boolean,
): ReadonlySet<string> {
  const own = lines.flatMap(({ code }, at) => {
    const [, name] = /^(?:async\s+)?(?:def|class)\s+(\w+)/.exec(code) ?? [];
    const isHelper = name !== undefined && !/^test/i.test(name);
    return isHelper && linesBelow(lines, at).some((line) => asserting.test(line.code)) ? [name] : [];
  });
  const imported = pythonImports(script)
    .filter(({ module }) => !isSource(module) && !libraries.test(module))
    .flatMap(({ names, module }) =>
      names.length === 0 ? [module.split(".")[0] ?? ""] : names.map(({ local }) => local),
    );
  return new Set([...own, ...imported]);
}

/** Modules without assertions of their own. */
const libraries =
  /^(?:pytest|unittest|os|sys|re|io|json|time|math|random|typing|datetime|decimal|fractions|pathlib|collections|itertools|functools|contextlib|asyncio|string|copy|enum|dataclasses|tempfile|types|abc)\b/;
