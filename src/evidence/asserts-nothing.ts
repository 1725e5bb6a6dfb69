/**
 * Tests that ran to their end and asserted nothing that a runner counts: they check types, or that nothing is thrown. They count
 * as failed, since they prove nothing, and yet they pass where the project itself runs them.
 */
import type { TestResult } from "./test-result.ts";

/** What a reporter of ours says where a runner has no word for it. */
export const noneRan = "expected an assertion, and none ran";
/** As vitest says it. */
export const gotNone = "expected any number of assertion, but got none";

export function assertsNothing({ status, message }: Pick<TestResult, "status" | "message">): boolean {
  return status === "failed" && (message.startsWith(noneRan) || message.startsWith(gotNone));
}
