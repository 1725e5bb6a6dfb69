/** Tolerances that are wider than what they compare with (PRV-18). */
import type { Weakness } from "./weak-test.ts";

/** From here on any usual result passes; a test of times may use a wide tolerance for a small number. */
const certainTimes = 10;

/**
 * @param expected the number that the test compares with; at 0 the tolerance alone is the meaning
 * @param tolerance the distance that still passes
 */
export function toleranceWeakness(
  expected: number,
  tolerance: number,
): { readonly why: Weakness; readonly isCertain: boolean } | null {
  if (expected === 0 || !(tolerance > Math.abs(expected))) return null;
  return { why: "tolerance", isCertain: tolerance >= certainTimes * Math.max(1, Math.abs(expected)) };
}
