import { vitestNoAssertion } from "../../asserts-nothing.ts";
import type { VitestError } from "./report.ts";

/**
 * Conditions that vitest reports only by the text of a plain Error, pinned by the fixtures of runners.test.ts. A changed
 * text makes those tests fail and a verdict stricter, never a pass.
 */
export const vitestErrors = {
  ended: starts("process.exit unexpectedly called"),
  empty: starts("No test suite found in file", "No test found in suite"),
  only: starts("[Vitest] Unexpected .only modifier"),
  noAssertion: starts(vitestNoAssertion),
  timedOut: starts("Test timed out in", "Hook timed out in"),
  pool: starts("[vitest-pool"),
};

function starts(...beginnings: readonly string[]): (error: VitestError) => boolean {
  return ({ message }) => beginnings.some((beginning) => message.startsWith(beginning));
}
