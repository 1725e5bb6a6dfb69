/** The bodies of a Python file's tests as functions that run them with neighbouring inputs; see script-bodies.ts. */
import type { Script } from "../script.ts";
import type { Draw } from "../flip/edit.ts";
import { applyEdits, type Edit } from "../text-edits.ts";
import type { PythonLine, PythonTest } from "../flip/python-lines.ts";
import { outerCode, partsAt, withoutBrackets, type Part } from "../flip/python-parts.ts";
import type { Assertion, NeighbourRuntime } from "./assertion.ts";
import type { FoundLiteral } from "./found-literal.ts";
import { knownNumbers } from "./known-numbers.ts";
import { inputsOf, subjectOf, variablesOf, type Variables } from "./python-calls.ts";
import { pythonValues } from "./python-values.ts";

export interface PythonBody {
  /** The function that goes after the test. */
  readonly definition: string;
  /** An expression in the test that gives the results as text. */
  readonly call: string;
}

export interface PythonBodies {
  /** Null for a test that cannot run again. */
  bodyOf(test: PythonTest): PythonBody | null;
  /** The code at the end of the file. */
  closing(): string;
  readonly assertions: readonly Assertion[];
}

export function pythonBodies(script: Script, draw: Draw, runtime: NeighbourRuntime): PythonBodies {
  const names = { through: draw.name(), note: draw.name(), run: draw.name() };
  const assertions: Assertion[] = [];
  const { runMs, totalMs, neighbours } = runtime.limits;
  const limits = draw.name();
  let literals = 0;
  const next = () => (literals += 1);
  const bodyOf = (test: PythonTest): PythonBody | null => {
    const params = parametersOf(test.head.code);
    const last = test.lines.at(-1);
    if (params === null || last === undefined || /^async\b/.test(test.head.code)) return null;
    const before = assertions.length;
    const edits = editsOf(test, { script, ...names, assertions, next });
    if (assertions.length === before) return null;
    const [start, end] = [test.head.end, last.end];
    const code = applyEdits(
      script.text.slice(start, end),
      edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    );
    const name = draw.name();
    const own = [...params, names.through, names.note].join(", ");
    const isMethod = test.name.includes("::") && params.length > 0;
    const given = params
      .slice(isMethod ? 1 : 0)
      .map((param) => (test.isTable ? `${names.through}(${param}, ${next()})` : param));
    const target = isMethod ? `${params[0] ?? ""}.${name}` : name;
    return {
      definition: `\n\n${test.head.indent}def ${name}(${own}):${code}\n`,
      call: `${names.run}(lambda ${names.through}, ${names.note}: ${target}(${[...given, names.through, names.note].join(", ")}), ${limits})`,
    };
  };
  const closing = () => {
    if (assertions.length === 0) return "";
    const share = Math.max(minTestMs, totalMs / new Set(assertions.map(({ test }) => test)).size);
    const values = {
      run: runMs / 1000,
      test: share / 1000,
      total: totalMs / 1000,
      neighbours,
      known: knownNumbers(assertions),
    };
    return `\n\n${limits} = ${JSON.stringify(values)}\n\n${runtime.python
      .replace(/^"""[\s\S]*?"""\n/, "")
      .replaceAll("try_neighbours", names.run)
      .replaceAll("_NEAR", `_${names.run}`)}`;
  };
  return { bodyOf, closing, assertions };
}

const minTestMs = 30;

/** Null for parameters that cannot be given on by their names. */
function parametersOf(head: string): readonly string[] | null {
  const list = /\((.*)\)[^)]*:\s*$/s.exec(head)?.[1];
  if (list === undefined || /[*=()[\]{}/]/.test(list)) return null;
  const params = list.split(",").map((param) => param.replace(/:.*$/s, "").trim());
  return params.filter((param) => param !== "");
}

interface Reading {
  readonly script: Script;
  readonly through: string;
  readonly note: string;
  readonly assertions: Assertion[];
  next(): number;
}

function editsOf(test: PythonTest, reading: Reading): readonly Edit[] {
  const { script, through, note, assertions, next } = reading;
  const values = variablesOf(test, script);
  const wrap = ({ start, end }: FoundLiteral): Edit => ({
    start,
    end,
    text: `${through}(${script.text.slice(start, end)}, ${next()})`,
  });
  return test.lines.flatMap((line) => {
    const found = readAssertion(line, script);
    if (found === null) {
      const isFixed = /^(?:@|(?:case|def|async|class|import|from|global|nonlocal|del)\b)/.test(line.code);
      return isFixed ? [] : wholeIn(script, line.start, line.end).map(wrap);
    }
    const [from, to] = [line.start + found.actual[0], line.start + found.actual[1]];
    const edits = wholeIn(script, from, to).map(wrap);
    const code = applyEdits(
      script.text.slice(from, to),
      edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from })),
    );
    const site = assertions.length;
    const actual = script.code.slice(from, to);
    assertions.push({
      site,
      test: test.name,
      subject: subjectOf(actual, values.texts),
      inputs: inputsOf(script, [from, to], values.places),
      expected:
        found.expected === null
          ? null
          : expectedOf(script, line, { expected: found.expected, places: values.places }),
    });
    return [{ start: line.start, end: line.end, text: `${note}(${site}, lambda: (${code.trim()}))` }];
  });
}

function wholeIn(script: Script, from: number, to: number): readonly FoundLiteral[] {
  return pythonValues(script, from, to).filter(({ isWhole, isValue }) => isWhole && isValue);
}

interface Found {
  readonly actual: Part;
  readonly expected: Part | null;
}

/** Null for a line that is no assertion on its own. */
function readAssertion(line: PythonLine, script: Script): Found | null {
  if (/;/.test(line.code)) return null;
  if (/^assert(?![\w.])/.test(line.code)) {
    const [condition] = partsAt(line, script, {
      from: "assert".length,
      to: line.code.length,
      separator: /^,/,
    });
    if (condition === undefined) return null;
    const [from, to] = withoutBrackets(line, script, condition);
    const sides = partsAt(line, script, { from, to, separator: /^(?:==|\sis\s)/ });
    if (/\b(?:and|or|not|if|for|lambda)\b/.test(outerCode(line, script, { from, to })))
      return { actual: [from, to], expected: null };
    return turned(sides, { line, script });
  }
  const open = /^self\s*\.\s*(assert\w+)\s*\(/.exec(line.code)?.[0].length;
  const close = line.code.lastIndexOf(")");
  if (open === undefined || close < open) return null;
  const args = partsAt(line, script, { from: open, to: close, separator: /^,/ });
  const [first] = args;
  if (first === undefined || /^\s*(?:\*|\w+\s*=(?!=))/.test(line.code.slice(...first))) return null;
  return /^self\s*\.\s*assertRaises/.test(line.code) ? null : turned(args, { line, script });
}

/** The expected value may come first. */
function turned(
  sides: readonly Part[],
  { line, script }: { readonly line: PythonLine; readonly script: Script },
): Found | null {
  const [first, second] = sides;
  if (first === undefined) return null;
  const isLiteral = (part: Part) => literalAt(script, line.start + part[0], line.start + part[1]) !== null;
  return second !== undefined && isLiteral(first) && !isLiteral(second)
    ? { actual: second, expected: first }
    : { actual: first, expected: second ?? null };
}

/** The text of the literal that this part is; null for any other expression. */
function literalAt(script: Script, from: number, to: number): string | null {
  const [only, ...others] = wholeIn(script, from, to);
  if (only === undefined || others.length > 0) return null;
  const around = script.code.slice(from, only.start) + script.code.slice(only.end, to);
  return around.trim() === "" ? only.text : null;
}

function expectedOf(
  script: Script,
  line: PythonLine,
  { expected: [from, to], places }: { readonly expected: Part; readonly places: Variables["places"] },
): string | null {
  const place = places.get(line.code.slice(from, to).trim());
  return place === undefined
    ? literalAt(script, line.start + from, line.start + to)
    : literalAt(script, ...place);
}
