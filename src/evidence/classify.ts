import type { FailureKind } from "./test-result.ts";

/** What a runner tells about a thrown value. */
export interface Thrown {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly stack?: string;
}

/** What libraries of assertions name their errors; a reporter calls the others so by their shape. */
const assertions = new Set([
  "AssertionError",
  "AssertError",
  "AssertionFailedError",
  "JestAssertionError",
  "TestingLibraryElementError",
  "UnexpectedError",
]);

/**
 * Why a test's own code failed. The agreed marker of a stub is an error whose message begins with "not implemented",
 * or whose name is `NotImplementedError`; an assertion stays one whatever its message says.
 */
export function classify(thrown: Thrown): FailureKind {
  if (assertions.has(thrown.name) || thrown.code === "ERR_ASSERTION" || isAsserted(thrown.stack ?? ""))
    return "assertion";
  if (thrown.name === "NotImplementedError" || /^not implemented/i.test(thrown.message))
    return "not-implemented";
  return "other-throw";
}

/**
 * Whether it was made in a function of a dependency that asserts by its name, as supertest's `_assertStatus`, whose errors are
 * plain; supertest puts the test's own stack before it, and a line between.
 */
function isAsserted(stack: string): boolean {
  const made = stack.split(/^----$/m).at(-1) ?? "";
  const first = made.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
  return /^\s+at (?:async )?(?:new )?\S*assert\w* \(.*[\\/]node_modules[\\/]/i.test(first);
}

/** Whether a message as a runner reports it, perhaps behind the error's name, is the agreed marker of a stub. */
export function reportsMarker(message: string): boolean {
  return /^(?:Error: )?not implemented\b/i.test(message.trim());
}
