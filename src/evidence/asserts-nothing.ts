/**
 * Recognises tests that ran to the end without an assertion that the runner counts, such as tests of types or tests that
 * nothing throws. A proof counts them as failed because they prove nothing; the project's own command passes them.
 */
import type { TestResult } from "./test-result.ts";

/** The message of Mettle's reporters for runners that have none of their own. */
export const noAssertionRan = "expected an assertion, and none ran";
/** vitest's own message. */
export const vitestNoAssertion = "expected any number of assertion, but got none";

export function assertsNothing({ status, message }: Pick<TestResult, "status" | "message">): boolean {
  return status === "failed" && (message.startsWith(noAssertionRan) || message.startsWith(vitestNoAssertion));
}
