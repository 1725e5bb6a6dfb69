import type { FailureKind } from "./test-result.ts";

/** A thrown value as the runner reports it. */
export interface ThrownValue {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly stack?: string;
}

/** Error names of assertion libraries; a reporter maps other assertion errors to these by their shape. */
const assertions = new Set([
  "AssertionError",
  "AssertError",
  "AssertionFailedError",
  "JestAssertionError",
  "TestingLibraryElementError",
  "UnexpectedError",
]);

/**
 * Classifies why a test's own code failed. A stub's marker is an error whose message begins with "not implemented" or whose
 * name is `NotImplementedError`. An assertion error stays an assertion whatever its message.
 */
export function classify(thrown: ThrownValue): FailureKind {
  if (
    assertions.has(thrown.name) ||
    thrown.code === "ERR_ASSERTION" ||
    isFromAssertFunction(thrown.stack ?? "")
  )
    return "assertion";
  if (thrown.name === "NotImplementedError" || /^not implemented/i.test(thrown.message))
    return "not-implemented";
  return "other-throw";
}

/**
 * Whether a dependency's function whose name contains "assert" created the error, as supertest's `_assertStatus` does; those
 * errors are plain. supertest puts the test's own stack first, then a separator line.
 */
function isFromAssertFunction(stack: string): boolean {
  const made = stack.split(/^----$/m).at(-1) ?? "";
  const first = made.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return /^\s+at (?:async )?(?:new )?\S*assert\w* \(.*[\\/]node_modules[\\/]/i.test(first);
}

/** Whether a reported message, possibly prefixed with the error's name, is the marker of a stub. */
export function reportsMarker(message: string): boolean {
  return /^(?:Error: )?not implemented\b/i.test(message.trim());
}
