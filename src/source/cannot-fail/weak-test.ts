/** A test that cannot fail by its assertions (PRV-18), found in its text. */

export interface WeakTest {
  /** Title of the test, or name of its function. */
  readonly title: string;
  /** Line of its first assertion that cannot fail, from 1. */
  readonly line: number;
  readonly why: Weakness;
  /** False where the text alone does not show it for certain. */
  readonly isCertain: boolean;
}

/** Why an assertion cannot fail. */
export type Weakness =
  | "not executed"
  | "swallowed"
  | "not awaited"
  | "empty loop"
  | "same value"
  | "own answer"
  | "constants"
  | "tolerance"
  | "types";

/** An assertion of a test: able to fail, unable, or unable as far as the text shows. */
export type Judged =
  | { readonly isAble: true }
  | {
      readonly isAble: false;
      readonly line: number;
      readonly why: Weakness;
      readonly isCertain: boolean;
      /** Nobody writes it on purpose, so it is wrong beside other assertions too. */
      readonly isMistake?: boolean;
    };

export const able: Judged = { isAble: true };

/**
 * One able assertion is enough, since a weak one beside it does no harm. A promise that nobody awaits is always a mistake:
 * its failure comes too late.
 */
export function weakTest(title: string, assertions: readonly Judged[]): WeakTest | null {
  const weak = assertions.flatMap((one) => (one.isAble ? [] : [one]));
  const [first] = weak;
  if (first === undefined) return null;
  const forgotten = weak.find(({ isMistake }) => isMistake === true);
  if (forgotten !== undefined) return { title, ...pick(forgotten) };
  if (weak.length < assertions.length) return null;
  const doubtful = weak.find(({ isCertain }) => !isCertain);
  return { title, ...pick(doubtful ?? first) };
}

function pick({ line, why, isCertain }: Exclude<Judged, { isAble: true }>): Omit<WeakTest, "title"> {
  return { line, why, isCertain };
}
