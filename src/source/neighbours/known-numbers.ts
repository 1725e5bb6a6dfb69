/** The numbers that calls of tests get: a neighbour must not be the input of another test. */
import type { Assertion } from "./assertion.ts";

export function knownNumbers(assertions: readonly Assertion[]): readonly number[] {
  const numbers = assertions.flatMap(({ inputs }) => inputs.filter((text) => /^-?\d+(?:\.\d+)?$/.test(text)));
  return [...new Set(numbers.map(Number))].slice(0, maxNumbers);
}

const maxNumbers = 300;
