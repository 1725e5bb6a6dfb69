/**
 * The expected-value flip (verification 0.5): the required tests run once more with other expected values. An assertion that
 * still holds does not compare what the code computes: a matcher or report is replaced, an object equals everything, or the
 * code reads its test.
 */
import { counted } from "../../lib/counted.ts";
import { failed, passed, shortList } from "../check.ts";
import type { Check } from "../verdict.ts";

/** A test that passed with another expected value. */
export interface PassedFlip {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** The assertion as written. */
  readonly was: string;
}

export type Flip =
  | {
      readonly state: "measured";
      /** Changed values, and the tests that contain them. */
      readonly values: number;
      readonly tests: number;
      /** Required tests without a result in which an expected value could be changed. */
      readonly unmeasured: number;
      readonly passed: readonly PassedFlip[];
    }
  | { readonly state: "not measured"; readonly why: string };

export function checkFlip(flip: Flip): Check {
  if (flip.state !== "measured" || flip.passed.length === 0) return passed("flip");
  const places = flip.passed.map(({ id, file, line, was }) => `${file}:${line} \`${was}\` of ${id}`);
  const ids = [...new Set(flip.passed.map(({ id }) => id))];
  return failed(
    "flip",
    `${counted(flip.passed.length, "assertion")} still passed with another expected value: ${shortList(places, 3)}; the code must return what the test compares, without replaced matchers or reports, without objects that equal everything, and without reading its test`,
    ids,
  );
}

/** The record's text. */
export function flipWords(flip: Flip): string {
  if (flip.state === "not measured") return `not measured (${flip.why})`;
  const { values, tests, unmeasured, passed: wrong } = flip;
  const what = `${counted(values, "changed value")} in ${counted(tests, "test")}`;
  const result = wrong.length === 0 ? "all failed as they must" : `${wrong.length} passed`;
  return `${what}: ${result}${unmeasured === 0 ? "" : `; ${counted(unmeasured, "test")} not measured`}`;
}
