/**
 * Mutants of JavaScript and TypeScript by the instrumenter of StrykerJS (docs/adr/0024-mutants-by-stryker.md). It is large and
 * loaded on first use. It gets syntax trees of Mettle's own parser, since its own would execute the Babel configuration of
 * the project.
 */
import type { Instrumenter } from "@stryker-mutator/instrumenter";
import { isScript, loadFileParser } from "../syntax.ts";
import { scriptMarks } from "./script-marks.ts";
import { mutatedText, type MutableFile, type Mutant, type SourceLines } from "./mutant.ts";

/** Null for a file that is not JavaScript or TypeScript, or that does not parse. */
export type FindMutants = (source: SourceLines) => Promise<MutableFile | null>;

export async function loadScriptMutator(): Promise<FindMutants> {
  const loaded = await import("@stryker-mutator/instrumenter");
  const parse = await loadFileParser();
  type CreateParser = NonNullable<ConstructorParameters<typeof loaded.Instrumenter>[1]>;
  const createParser = () => async (text: string, path: string) => {
    const root = parse(path, text);
    if (root === null) throw new SyntaxError(path);
    return { originFileName: path, rawContent: text, format: formatOf(path), root };
  };
  const instrumenter = new loaded.Instrumenter(silent, createParser as unknown as CreateParser);
  return async ({ path, text, lines }) => {
    const file = isScript(path) ? parse(path, text) : null;
    if (file === null) return null;
    const { mutants, switched } = await mutantsIn(instrumenter, { path, text, lines });
    return {
      path,
      text,
      mutants: mutants.filter((mutant) => parse(path, mutatedText(text, mutant)) !== null),
      switched,
      marks: scriptMarks(file, lines),
    };
  };
}

/** Lines and columns from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface LineRange {
  readonly start: Position;
  readonly end: Position;
}

async function mutantsIn(
  instrumenter: Instrumenter,
  { path, text, lines }: SourceLines,
): Promise<{ readonly mutants: readonly Mutant[]; readonly switched: string }> {
  const starts = lineStarts(text);
  const offset = ({ line, column }: Position) => (starts[line] ?? text.length) + column;
  const file = { name: path, content: text, mutate: rangesOf(lines) };
  const { mutants, files } = await instrumenter.instrument([file], {
    plugins: null,
    excludedMutations: [],
    ignorers: [],
  });
  return {
    switched: files[0]?.content ?? text,
    mutants: mutants.map(({ id, location, mutatorName, replacement }) => ({
      path,
      line: location.start.line + 1,
      start: offset(location.start),
      end: offset(location.end),
      by: replacement,
      operator: mutatorName,
      id,
    })),
  };
}

/** Runs of lines that follow each other. */
function rangesOf(lines: readonly number[]): LineRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const line of lines.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.end === line - 1) last.end = line;
    else ranges.push({ start: line, end: line });
  }
  return ranges.map(({ start, end }) => ({
    start: { line: start - 1, column: 0 },
    end: { line: end - 1, column: Number.MAX_SAFE_INTEGER },
  }));
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
}

function formatOf(path: string): "js" | "ts" | "tsx" {
  if (path.endsWith("x") && path.includes(".ts")) return "tsx";
  return /\.[cm]?ts$/u.test(path) ? "ts" : "js";
}

const nothing = () => undefined;
const never = () => false;
const silent = {
  isTraceEnabled: never,
  isDebugEnabled: never,
  isInfoEnabled: never,
  isWarnEnabled: never,
  isErrorEnabled: never,
  isFatalEnabled: never,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
