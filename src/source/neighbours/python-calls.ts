/** What an assertion of a Python test calls, and with which literals. */
import type { Script } from "../script.ts";
import type { PythonTest } from "../flip/python-lines.ts";
import { pythonValues } from "./python-values.ts";

export interface Variables {
  readonly places: ReadonlyMap<string, readonly [number, number]>;
  readonly texts: ReadonlyMap<string, string>;
}

export function variablesOf({ lines }: PythonTest, script: Script): Variables {
  const found = lines.flatMap(({ start, end, code }) => {
    const [head = "", name = ""] = /^(\w+)\s*=(?!=)\s*/.exec(code) ?? [];
    return name === "" ? [] : [[name, [start + head.length, end]] as const];
  });
  return {
    places: new Map(found),
    texts: new Map(found.map(([name, [from, to]]) => [name, script.code.slice(from, to)])),
  };
}

/** The last name that is called: `total` of `cart.total()` and of `result = total(items)`. */
export function subjectOf(code: string, texts: ReadonlyMap<string, string>, depth = 0): string {
  const plain = code.trim();
  const value = texts.get(plain);
  if (value !== undefined && depth < 4) return subjectOf(value, texts, depth + 1);
  const own = (code: string) =>
    [...code.matchAll(/([^\W\d]\w*)\s*\(/gu)].flatMap(([, name = ""]) => (builtIn.test(name) ? [] : [name]));
  return own(withoutNested(plain)).at(-1) ?? own(plain)[0] ?? "";
}

const builtIn = /^(?:list|tuple|set|dict|str|type|len|sorted|next|int|float|round|approx|repr|isinstance)$/;

/** Without what is inside of brackets. */
function withoutNested(code: string): string {
  let depth = 0;
  let kept = "";
  for (const char of code) {
    if (")]}".includes(char)) depth--;
    if (depth === 0) kept += char;
    if ("([{".includes(char)) depth++;
  }
  return kept;
}

export function inputsOf(
  script: Script,
  [from, to]: readonly [number, number],
  places: Variables["places"],
): readonly string[] {
  const texts = (start: number, end: number) =>
    pythonValues(script, start, end).flatMap(({ text, isWhole, isValue }) =>
      isWhole || !isValue ? [text] : [],
    );
  const seen = new Set<string>();
  const inVariables = (code: string): readonly string[] =>
    [...code.matchAll(/(?<![\w.])[^\W\d]\w*/gu)].flatMap(([name]) => {
      const place = places.get(name);
      if (place === undefined || seen.has(name)) return [];
      seen.add(name);
      return [...texts(...place), ...inVariables(script.code.slice(...place))];
    });
  return [...new Set([...texts(from, to), ...inVariables(script.code.slice(from, to))])];
}
