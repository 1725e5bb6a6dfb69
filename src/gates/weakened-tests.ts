/**
 * What became of the text of old tests in a RED commit (fault R9). A test writer who takes the edge off an old assertion makes
 * room for a regression that no run shows: its old version passes on RED as its new one does, since the source is the same. So
 * each old test whose text changed is a finding, named to the reviewers and the person, with the assertions that are gone; and
 * the old version has to pass wherever the new one is proved. Changing an old test is no crime, so its text alone blocks nobody.
 */
import { counted } from "../lib/counted.ts";
import type { Finding } from "./verdict.ts";
import { textsOfTests } from "./test-texts.ts";

export interface ChangedTestFile {
  readonly path: string;
  readonly before: string;
  /** Null where the file is gone. */
  readonly after: string | null;
}

export const weakenedCode = "weakened_test";

export function weakenedTests(files: readonly ChangedTestFile[]): readonly Finding[] {
  return files.flatMap(changesOf);
}

function changesOf({ path, before, after }: ChangedTestFile): readonly Finding[] {
  const found = (message: string): Finding => ({ code: weakenedCode, severity: "finding", message, path });
  const old = textsOfTests({ path, text: before });
  if (after === null) return [found(`an old test file is gone, with ${counted(old.tests.size, "test")}`)];
  const now = textsOfTests({ path, text: after });
  const tests = [...old.tests].flatMap(([title, text]) => {
    const same = now.tests.get(title);
    if (same === undefined)
      return [...now.tests.values()].some((other) => squeezed(other).includes(bodyOf(text, title)))
        ? [found(`the old test "${title}" has another name`)]
        : [found(`the old test "${title}" is gone`)];
    const change = changeOf(text, same);
    return change === null ? [] : [found(`the old test "${title}" was changed; ${change}`)];
  });
  const around = changeOf(withoutImports(old.around), withoutImports(now.around), { lost: true });
  return [...tests, ...(around === null ? [] : [found(`what old tests use was changed; ${around}`)])];
}

/** Null where all of the old text still stands, in its order or another; blanks and comments do not count. */
function changeOf(before: string, after: string, { lost = false } = {}): string | null {
  if (squeezed(before) === squeezed(after)) return null;
  const gone = missing(linesOf(before), linesOf(after));
  const fresh = missing(linesOf(after), linesOf(before));
  const asserting = gone.filter((line) => asserts.test(line));
  if (asserting.length > 0) return `an assertion is gone: ${shown(asserting)}${instead(fresh)}`;
  if (gone.length > 0) return `gone: ${shown(gone)}${instead(fresh)}`;
  return fresh.length > 0 && !lost ? `new in it: ${shown(fresh)}` : null;
}

const asserts =
  /\b(?:assert\w*|expect|should|require|raises|throws|rejects|t\.(?:is|ok|equal|same|true|false|not)\w*|must\w*|verify|check)\b|\.\s*(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(/;

function instead(fresh: readonly string[]): string {
  const asserting = fresh.filter((line) => asserts.test(line));
  const now = asserting.length > 0 ? asserting : fresh;
  return now.length === 0 ? "" : `; now: ${shown(now)}`;
}

const mostShown = 3;

function shown(lines: readonly string[]): string {
  const some = lines.slice(0, mostShown).map((line) => (line.length > 120 ? `${line.slice(0, 120)}…` : line));
  return `${some.join(" | ")}${lines.length > mostShown ? ` and ${counted(lines.length - mostShown, "more line")}` : ""}`;
}

/** Of the first list, what the second does not hold as often. */
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

function squeezed(text: string): string {
  return linesOf(text).join("").replaceAll(/\s+/g, "");
}

/** A test without the words that name it. */
function bodyOf(text: string, title: string): string {
  const at = text.indexOf(title);
  const body = squeezed(at === -1 ? text : text.slice(at + title.length));
  return body.length > 0 ? body : "\u0000";
}

function withoutImports(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:import\b|from\b|export\s+\{|use\s|package\s|\}\s*from\b|"[^"]*"$)/.test(line))
    .join("\n");
}
