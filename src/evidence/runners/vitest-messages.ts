import { gotNone } from "../asserts-nothing.ts";
import type { VitestError } from "./vitest-report.ts";

/**
 * Conditions that vitest tells by the wording of a plain Error and by nothing else. Kept in one place, pinned by the
 * fixtures of runners.test.ts; a wording that changes turns those red, and turns a verdict to a harsher one, never to a pass.
 */
export const said = {
  ended: starts("process.exit unexpectedly called"),
  empty: starts("No test suite found in file", "No test found in suite"),
  only: starts("[Vitest] Unexpected .only modifier"),
  noAssertion: starts(gotNone),
  timedOut: starts("Test timed out in", "Hook timed out in"),
  pool: starts("[vitest-pool"),
};

function starts(...beginnings: readonly string[]): (error: VitestError) => boolean {
  return ({ message }) => beginnings.some((beginning) => message.startsWith(beginning));
}
