/**
 * Whether a new test fails for the right reason (PRV-22): an assertion, the marker thrown by the unit, a crash inside the
 * planned unit, or an error that becomes the marker when the unit throws it.
 */
import { reportsMarker } from "../../evidence/classify.ts";
import type { CompileError, TestResult } from "../../evidence/test-result.ts";
import { shortList } from "../check.ts";
import { isInlineTest } from "../../source/inline-tests.ts";
import { kindOf, type PathRules } from "../../source/paths.ts";

/** The unit under test. */
export interface Unit {
  /** Source files of the plan. */
  readonly files: readonly string[];
  /** Ids of tests that fail with the marker when each of those files throws it. */
  readonly reached: ReadonlySet<string>;
  /** Test functions that Mettle emptied so that their files compile: id -> the compile error. */
  readonly uncompiled: ReadonlyMap<string, string>;
  /** A compile error in a test that no planned file explains. */
  readonly mistake: CompileError | null;
  /** Source files of which only the inline tests changed -> their text. */
  readonly inline: ReadonlyMap<string, string>;
}

export const unknownUnit: Unit = {
  files: [],
  reached: new Set(),
  uncompiled: new Map(),
  mistake: null,
  inline: new Map(),
};

/** Why this failure is not RED; null when it is. */
export function wrongReason(test: TestResult, rules: PathRules, unit: Unit = unknownUnit): string | null {
  const { kind, id } = test;
  const [frame] = test.frames;
  const inTest = frame !== undefined && isOfTest(frame, rules, unit);
  switch (kind) {
    case "assertion":
      return null;
    case "not-implemented":
      if (unit.uncompiled.has(id) || unit.reached.has(id)) return null;
      if (frame === undefined)
        return "throws not implemented, but its stack does not contain the unit under test";
      return inTest ? `throws its own not-implemented marker at ${frame}, not the unit under test` : null;
    case "other-throw":
      return foreignErrorReason(test, rules, unit);
    case "load":
      return `does not load: ${first(test)}`;
    case "timeout":
      // A unit that is not there yet may never answer.
      return unit.reached.has(id) ? null : "times out";
    case "hook":
      // A hook often creates the unit under test, so its marker counts there too.
      if (reportsMarker(test.message) && frame !== undefined && !inTest) return null;
      return foreignErrorReason(test, rules, unit) === null
        ? null
        : `fails in a hook, before or after the test: ${first(test)}`;
    case "crash":
      return "its process ended before the test did";
    case null:
      return "fails without a reported reason";
  }
}

/** One sentence that lists the accepted failures. */
export function acceptedErrors({ files }: Unit): string {
  const what = files.length === 0 || files.length > 8 ? "a planned file" : shortList(files);
  return `RED is a failed assertion, "not implemented" thrown by ${what}, or any error or timeout of a test that calls it first`;
}

/** Whether a run in which the unit throws its marker could classify this failure. */
export function isDoubtful(test: TestResult, rules: PathRules, inline: Unit["inline"]): boolean {
  return (
    dependsOnReach(test) &&
    !isUndefinedName(test, rules) &&
    wrongReason(test, rules, { ...unknownUnit, inline }) !== null
  );
}

/** Whether it is the right reason only if the test reaches the unit. */
export function dependsOnReach({ kind }: Pick<TestResult, "kind">): boolean {
  return kind === "other-throw" || kind === "hook" || kind === "timeout";
}

/** Why an error that is neither an assertion nor the marker does not come from the unit; null when it does. */
function foreignErrorReason(test: TestResult, rules: PathRules, unit: Unit): string | null {
  const [frame] = test.frames;
  if (isUndefinedName(test, rules)) return `uses an undefined name${at(frame)}: ${first(test)}`;
  const planned = new Set(unit.files);
  const isOfUnit = (one: string) => planned.has(fileOf(one)) && !isOfTest(one, rules, unit);
  if (unit.reached.has(test.id) || test.frames.some(isOfUnit) || isMissing(test, unit)) return null;
  const inTest = frame === undefined || isOfTest(frame, rules, unit);
  const what = inTest
    ? `throws in the test itself${at(frame)}`
    : `fails by an error in the source${at(frame)}`;
  return `${what}: ${first(test)}`;
}

/** `Call to undefined method Cart::total()`, `Class "Cart" not found`: of languages that Mettle writes no stubs for. */
function isMissing(test: TestResult, { files }: Unit): boolean {
  const message = first(test);
  if (
    !/undefined (?:method|function|class)|\bnot found\b|uninitialized constant|cannot find symbol/i.test(
      message,
    )
  )
    return false;
  const words = new Set(message.match(/\w+/g));
  return files.some((path) => words.has(stemOf(path)));
}

function stemOf(path: string): string {
  return /([^/.]+)[^/]*$/.exec(path)?.[1] ?? path;
}

/** A name that is undefined in the test's own code cannot come from the unit. */
function isUndefinedName({ message, frames }: TestResult, rules: PathRules): boolean {
  const [frame] = frames;
  if (frame === undefined || kindOf(fileOf(frame), rules) !== "test") return false;
  return /^(?:ReferenceError: )?[\p{L}\p{N}_$]+ is not defined$|^(?:NameError: )?name '\w+' is not defined|^cannot access local variable '|^local variable '\w+' referenced before|^Cannot access '[^']+' before initialization/u.test(
    message.split("\n")[0] ?? "",
  );
}

function isOfTest(frame: string, rules: PathRules, { inline }: Unit): boolean {
  const path = fileOf(frame);
  const line = Number(/:(\d+):\d+$/.exec(frame)?.[1] ?? 0);
  return kindOf(path, rules) === "test" || isInlineTest(path, inline.get(path) ?? "", line);
}

function fileOf(frame: string): string {
  return frame.replace(/:\d+:\d+$/, "");
}

function first(test: TestResult): string {
  return test.message.split("\n")[0]?.trim().slice(0, 200) ?? "";
}

function at(frame: string | undefined): string {
  return frame === undefined ? "" : ` at ${frame}`;
}
