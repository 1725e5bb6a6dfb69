/** The literals in the lines of source and of data that a change adds. */
import { isProtected } from "../../gates/suite/frozen.ts";
import type { ChangedLiteral } from "../../gates/special-case/answers.ts";
import { changedLines } from "../../source/changed-lines.ts";
import type { FoundLiteral } from "../../source/neighbours/found-literal.ts";
import { testsOfOthers } from "../../source/neighbours/other-tests.ts";
import { dataValues } from "../../source/neighbours/data-values.ts";
import { pythonValues } from "../../source/neighbours/python-values.ts";
import { scriptValues } from "../../source/neighbours/script-values.ts";
import { readPython } from "../../source/flip/python-lines.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";
import { loadParser, type Parse } from "../../source/syntax.ts";
import type { Project } from "../project/project.ts";

export interface LiteralsRequest {
  readonly before: Project;
  readonly after: Project;
  /** Changed paths. */
  readonly paths: readonly string[];
  readonly rules: PathRules;
  /** Test files that the literals are compared with. */
  readonly tests: readonly string[];
}

export async function changedLiterals({
  before,
  after,
  paths,
  rules,
  tests,
}: LiteralsRequest): Promise<readonly ChangedLiteral[]> {
  const own = paths.filter(
    (path) => ["source", "other"].includes(kindOf(path, rules)) && !isProtected(path, rules),
  );
  const [old, now, parse] = await Promise.all([before.texts(own), after.texts(own), loadParser()]);
  const source = new Map([...now].filter(([path]) => kindOf(path, rules) === "source"));
  const others = testsOfOthers(await after.texts(tests), source);
  return [...now].flatMap(([path, text]) => {
    if (text.length > maxLength) return [];
    const unconcerned = others.get(path) ?? [];
    const changed = changedLines(old.get(path) ?? "", text);
    const starts = startsOfLines(text);
    return literalsOf(path, text, parse).flatMap(({ start, end, ...literal }): ChangedLiteral[] => {
      const [first, last] = [lineAt(starts, start), lineAt(starts, end)];
      const isChanged = Array.from({ length: last - first + 1 }, (_, at) => first + at).some((line) =>
        changed.has(line),
      );
      const { role, within, isWhole } = literal;
      return isChanged ? [{ text: literal.text, role, within, isWhole, path, line: first, unconcerned }] : [];
    });
  });
}

const maxLength = 300_000;

function literalsOf(path: string, text: string, parse: Parse): readonly FoundLiteral[] {
  if (path.endsWith(".py")) return pythonValues(readPython(text));
  const program = parse(path, text);
  return program === null ? (dataValues(path, text) ?? []) : scriptValues(program);
}

function startsOfLines(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The line, from 1, that contains this index. */
function lineAt(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= index) low = middle;
    else high = middle;
  }
  return low + 1;
}
