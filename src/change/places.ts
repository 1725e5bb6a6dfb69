/**
 * Finds the lines of head that a check or finding is about, for annotations: those of its tests, and each `path:line` in its
 * text whose path head contains.
 */
import { fileOfTest } from "../evidence/test-ids.ts";
import type { Check, Finding, Verdict } from "../gates/verdict.ts";
import type { Project } from "../proof/project/project.ts";

export interface Place {
  readonly path: string;
  /** From 1; null for the whole file. */
  readonly line: number | null;
}

type Located<Part> = Part & { readonly places: readonly Place[] };

export interface LocatedVerdict extends Verdict {
  readonly checks: readonly Located<Check>[];
  readonly findings: readonly Located<Finding>[];
}

export async function withPlaces(verdict: Verdict, head: Project): Promise<LocatedVerdict> {
  const wrong = verdict.checks.filter((check) => check.verdict !== "pass");
  const ids = [
    ...wrong.flatMap(({ tests }) => tests.slice(0, maxPlaces)),
    ...verdict.findings.flatMap(({ testId }) => testId ?? []),
  ];
  const texts = await head.texts([...new Set(ids.map(fileOfTest))]);
  const ofTest = (id: string): readonly Place[] => {
    const path = fileOfTest(id);
    const text = texts.get(path);
    return text === undefined ? [] : [{ path, line: lineOfTest(text, id) }];
  };
  const has = (path: string) => head.files.has(path);
  return {
    ...verdict,
    checks: verdict.checks.map((check) => ({
      ...check,
      places:
        check.verdict === "pass"
          ? []
          : distinct([...check.tests.slice(0, maxPlaces).flatMap(ofTest), ...placesIn(check.reason, has)]),
    })),
    findings: verdict.findings.map((finding) => ({
      ...finding,
      places: distinct([
        ...(finding.testId === undefined ? [] : ofTest(finding.testId)),
        ...placesIn(finding.message, has),
        ...(finding.path !== undefined && has(finding.path) ? [{ path: finding.path, line: null }] : []),
      ]),
    })),
  };
}

/** Hosts of CI show at most some ten of them. */
const maxPlaces = 20;

/** A whole file adds nothing beside one of its lines. */
function distinct(places: readonly Place[]): readonly Place[] {
  const lines = new Set(places.flatMap(({ path, line }) => (line === null ? [] : [path])));
  const kept = new Map(
    places
      .filter(({ path, line }) => line !== null || !lines.has(path))
      .map((place) => [`${place.line ?? 0} ${place.path}`, place]),
  );
  return [...kept.values()].slice(0, maxPlaces);
}

/** Finds titles of suites and the test one after the other; a title that is computed has no line. */
export function lineOfTest(text: string, id: string): number | null {
  const [, number = "1"] = /#(\d+)$/u.exec(id) ?? [];
  const path = id.split("::").slice(1);
  const whole = lineOfPath(text, path, 1);
  return whole ?? lineOfPath(text, withoutEnding(path), Number(number));
}

function lineOfPath(text: string, path: readonly string[], nth: number): number | null {
  const title = path.at(-1);
  if (title === undefined || title === "") return null;
  const lines = text.split("\n");
  let from = 0;
  for (const suite of path.slice(0, -1)) from = Math.max(from, linesWith(lines, suite, from)[0] ?? from);
  const found = linesWith(lines, title, from)[nth - 1];
  return found === undefined ? null : found + 1;
}

/** Without the number of a duplicate, and without the parameters of pytest. */
function withoutEnding(path: readonly string[]): readonly string[] {
  return [...path.slice(0, -1), (path.at(-1) ?? "").replace(/#\d+$/u, "").replace(/\[.*\]$/su, "")];
}

/** Indices of the lines that hold a title as a literal or a function's name; else of those that hold it at all. */
function linesWith(lines: readonly string[], title: string, from: number): readonly number[] {
  const marked = ['"', "'", "`"].map((quote) => `${quote}${title}${quote}`);
  const indices = lines.flatMap((line, at) => (at >= from && line.includes(title) ? [at] : []));
  const isDefinition = (line: string) =>
    marked.some((mark) => line.includes(mark)) ||
    /\b(?:def|func|fn|class|mod)\s+\w*$/u.test(line.split(title, 1)[0] ?? "");
  const defined = indices.filter((at) => isDefinition(lines[at] ?? ""));
  return defined.length > 0 ? defined : indices;
}

/** The files of `text`, with the line that follows each: `src/a.js:8`. */
export function placesIn(text: string, has: (path: string) => boolean): readonly Place[] {
  const short = text.slice(0, maxText);
  const starts = [0, ...[...short.matchAll(/[\s("'`,;]/gu)].map(({ index }) => index + 1)];
  return starts.flatMap((start): readonly Place[] => {
    const ends = [...short.slice(start, start + maxPath).matchAll(/:\d+|[\s)"'`,;:]|$/gu)];
    const found = ends.find(
      ({ index }) =>
        index > 0 && isPath(short.slice(start, start + index)) && has(short.slice(start, start + index)),
    );
    if (found === undefined) return [];
    const line = /^:(\d+)$/u.exec(found[0])?.[1];
    return [
      {
        path: short.slice(start, start + found.index),
        line: line === undefined ? null : Math.max(1, Number(line)),
      },
    ];
  });
}

const maxText = 10_000;
const maxPath = 300;

/** A word without a dot or slash is rather a word than a file. */
function isPath(word: string): boolean {
  return /[./]/u.test(word) && !word.endsWith("/");
}
