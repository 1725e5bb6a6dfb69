/**
 * Reports changed old tests in a RED commit (fault R9). Weakening an old assertion makes room for a regression that no run
 * shows: both versions pass on RED, because the source is the same. Each changed old test is therefore a finding with its
 * removed assertions, for reviewers and the person, and its old version must pass wherever the new one is proved. A changed
 * text alone blocks nothing.
 */
import { counted } from "../../lib/counted.ts";
import { failed, passed } from "../check.ts";
import { withCalled, type WithCalled } from "./called-functions.ts";
import type { Check, Finding } from "../verdict.ts";
import { idsOfChange } from "./ids-of-change.ts";
import { textsOfTests } from "./test-texts.ts";

export interface ChangedTestFile {
  readonly path: string;
  readonly before: string;
  /** Null where the file was removed. */
  readonly after: string | null;
}

export const weakenedCode = "weakened_test";

/** One change of an old test's text. */
export interface TestChange {
  readonly path: string;
  /** Title of the test; null for the whole file or its shared code. */
  readonly title: string | null;
  /** `weaker`: fewer assertions, or assertions that expect less. */
  readonly what: "gone" | "renamed" | "weaker" | "changed";
  /** The new title of the same text, where it was renamed. */
  readonly to?: string;
  /** Where several tests of the file have this title: how many of their texts changed. */
  readonly changed?: number;
  readonly message: string;
}

export function weakenedTests(files: readonly ChangedTestFile[]): readonly Finding[] {
  return testChanges(files).map(({ path, message }) => ({
    code: weakenedCode,
    severity: "finding",
    message,
    path,
  }));
}

export function testChanges(files: readonly ChangedTestFile[]): readonly TestChange[] {
  return files.flatMap(changesOf);
}

export interface WeakenedFacts {
  readonly changes: readonly TestChange[];
  /** Ids of all tests. */
  readonly ids: readonly string[];
  /** Ids that fail on the base with their new text: they show more than the old text did. */
  readonly failingOnBase: readonly string[];
  /** Ids of the base's own tests; default none. */
  readonly onBase?: readonly string[];
  /** Ids and paths that a person accepted. */
  readonly accepted: readonly string[];
  /** The command that accepts a test. */
  readonly accepting: string;
}

/** Fails on an old test that expects less than before and passes on both base and change: it lost its protection. */
export function checkWeakened(facts: WeakenedFacts): Check {
  const { changes, ids, failingOnBase, onBase = [], accepted, accepting } = facts;
  const isShown = (id: string) => failingOnBase.includes(id) || accepted.includes(id);
  const open = changes.flatMap((change) => {
    if (change.what !== "weaker") return [];
    const all = change.title === null ? [change.path] : idsOfChange(change, ids);
    const left = all.filter((id) => !isShown(id));
    // The text does not tell which of the tests of one title changed; new ones of that title show nothing of them.
    const shown = all.filter((id) => isShown(id) && onBase.includes(id)).length;
    if (left.length === 0 || shown >= (change.changed ?? Infinity)) return [];
    return [{ ids: left, message: `${change.path}: ${change.message}` }];
  });
  if (open.length === 0) return passed("weakened");
  const wrong = open.flatMap((one) => one.ids);
  const reason = `${open.map(({ message }) => message).join("; ")}; restore the assertions, or let a person accept it: ${accepting}`;
  return { ...failed("weakened", reason, wrong), acceptable: true };
}

function changesOf({ path, before, after }: ChangedTestFile): readonly TestChange[] {
  const of = (title: string | null, what: TestChange["what"], message: string) => ({
    path,
    title,
    what,
    message,
  });
  const old = textsOfTests({ path, text: before });
  if (after === null)
    return [of(null, "gone", `an old test file with ${counted(old.tests.size, "test")} was removed`)];
  const now = textsOfTests({ path, text: after });
  const tests = [...old.tests].flatMap(([title, text]) => {
    const same = now.tests.get(title);
    if (same === undefined) {
      const body = bodyOf(text, title);
      const [to] = [...now.tests].find(([, other]) => normalised(other).includes(body)) ?? [];
      return to === undefined
        ? [of(title, "gone", `the old test "${title}" was removed`)]
        : [{ ...of(title, "renamed", `the old test "${title}" was renamed`), to }];
    }
    if (isRepetition(old.each.get(title), now.each.get(title)))
      return [of(title, "changed", `the old test "${title}" stands fewer times, its text remains`)];
    const isLess = () => expectsLess(withCalled(text, old.around, path), withCalled(same, now.around, path));
    const change = changeOf(text, same, { isLess });
    if (change === null) return [];
    const told = of(title, change.what, `the old test "${title}" was changed; ${change.words}`);
    return [{ ...told, ...changedTexts(old.each.get(title), now.each.get(title)) }];
  });
  const around = changeOf(withoutImports(old.around), withoutImports(now.around), { lost: true });
  return around === null
    ? tests
    : [...tests, of(null, around.what, `shared code of old tests was changed; ${around.words}`)];
}

/** Whether each old text still stands, only fewer times. */
function isRepetition(old: readonly string[] = [], now: readonly string[] = []): boolean {
  const left = now.map(normalised);
  return old.length > left.length && old.every((text) => left.includes(normalised(text)));
}

/** Nothing where the title belongs to one test. */
function changedTexts(old: readonly string[] = [], now: readonly string[] = []): Pick<TestChange, "changed"> {
  return old.length < 2 ? {} : { changed: missing(old.map(normalised), now.map(normalised)).length };
}

interface TextChange {
  readonly what: "weaker" | "changed";
  readonly words: string;
}

/** Null where all lines of the old text remain, in any order; whitespace and comments are ignored. */
function changeOf(
  before: string,
  after: string,
  { lost = false, isLess = () => expectsLess(alone(before), alone(after)) } = {},
): TextChange | null {
  if (normalised(before) === normalised(after)) return null;
  const gone = missing(linesOf(before), linesOf(after));
  const fresh = missing(linesOf(after), linesOf(before));
  const asserting = gone.filter(isAssertion);
  if (asserting.length > 0)
    return {
      what: isLess() ? "weaker" : "changed",
      words: `removed assertion: ${excerpt(asserting)}${replacementText(fresh)}`,
    };
  if (gone.length > 0)
    return { what: "changed", words: `removed: ${excerpt(gone)}${replacementText(fresh)}` };
  return fresh.length > 0 && !lost ? { what: "changed", words: `added: ${excerpt(fresh)}` } : null;
}

/** Fewer assertions, fewer exact ones, or fewer expected values; names may change. */
function expectsLess(before: WithCalled, after: WithCalled): boolean {
  const [old, now] = [assertionsIn(before.text), assertionsIn(after.text)];
  const count = (lines: readonly string[], pattern: RegExp) => [...lines.join("\n").matchAll(pattern)].length;
  const values = (lines: readonly string[]) =>
    [...lines.join("\n").matchAll(literals)].map(([value]) => value.replaceAll(/["'`]/g, '"'));
  const expected = [...now, ...after.calls, ...namedValues([...now, ...after.calls], after.text)];
  return (
    now.length < old.length ||
    count(now, exact) < count(old, exact) ||
    missing(values([...old, ...before.calls]), values(expected)).length > 0
  );
}

function alone(text: string): WithCalled {
  return { text, calls: [] };
}

function assertionsIn(text: string): readonly string[] {
  return linesOf(text).filter(isAssertion);
}

/** The lines that give names to what assertions expect. */
function namedValues(asserting: readonly string[], text: string): readonly string[] {
  const names = new Set(asserting.flatMap((line) => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
  return linesOf(text).filter((line) => {
    const name = /^(?:(?:const|let|var|static)\s+)*([\p{L}_$][\p{L}\p{N}_$]*)[^=()]*:?=(?![=>])/u.exec(
      line,
    )?.[1];
    return name !== undefined && names.has(name) && !asserting.includes(line);
  });
}

const exact =
  /\b(?:equal|strictEqual|deepEqual|deepStrictEqual|same|is|eq|eql|toBe|toEqual|toStrictEqual|assertEqual|assertEquals|assert_eq)\b|(?<![<>!=])={2,3}(?!=)|!=(?!=)/gi;
const literals =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<![\p{L}\p{N}_$.])\d[\d_.]*|\b(?:true|false|null|None|True|False|nil)\b/gu;

const asserts =
  /\b(?:assert\w*|expect|should|require|raises|throws|rejects|t\.(?:is|ok|equal|same|true|false|not)\w*|must\w*|verify|check)\b|\.\s*(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(/;

const strings = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gu;

/** A title or the name of a parameter, such as "expect", asserts nothing. */
function isAssertion(line: string): boolean {
  return asserts.test(line.replaceAll(strings, '""'));
}

function replacementText(fresh: readonly string[]): string {
  const asserting = fresh.filter(isAssertion);
  const now = asserting.length > 0 ? asserting : fresh;
  return now.length === 0 ? "" : `; now: ${excerpt(now)}`;
}

const maxShownLines = 3;

function excerpt(lines: readonly string[]): string {
  const some = lines
    .slice(0, maxShownLines)
    .map((line) => (line.length > 120 ? `${line.slice(0, 120)}…` : line));
  return `${some.join(" | ")}${lines.length > maxShownLines ? ` and ${counted(lines.length - maxShownLines, "more line")}` : ""}`;
}

/** Lines of the first list that the second contains fewer times. */
function missing(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/[;,]$/, ""))
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:\/\/|#(?!\[)|\*|\/\*)/.test(line));
}

function normalised(text: string): string {
  return linesOf(text).join("").replaceAll(/\s+/g, "");
}

/** The text of a test after its title. */
function bodyOf(text: string, title: string): string {
  const at = text.indexOf(title);
  const body = normalised(at === -1 ? text : text.slice(at + title.length));
  return body.length > 0 ? body : "\u0000";
}

export function withoutImports(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:import\b|from\b|export\s+\{|use\s|package\s|\}\s*from\b|"[^"]*"$)/.test(line))
    .join("\n");
}
