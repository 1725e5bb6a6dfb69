/** Whether a new test fails for the right reason: an assertion, or the agreed marker thrown by the unit under test. */
import { reportsMarker } from "../evidence/classify.ts";
import type { TestResult } from "../evidence/test-result.ts";
import { kindOf, type PathRules } from "./paths.ts";

/** Why this failure is not RED, or null when it is. */
export function wrongReason(test: TestResult, rules: PathRules): string | null {
  const [frame] = test.frames;
  const inTest = frame !== undefined && kindOf(frame.replace(/:\d+:\d+$/, ""), rules) === "test";
  switch (test.kind) {
    case "assertion":
      return null;
    case "not-implemented":
      if (frame === undefined) return "says not implemented, but no stack leads to the unit under test";
      return inTest ? `throws its own not-implemented marker at ${frame}, not the unit under test` : null;
    case "other-throw":
      if (isMissingMember(test))
        return `${first(test)}: assert first that it exists, e.g. that its typeof is "function"`;
      if (inTest || frame === undefined) return `throws in the test itself${at(frame)}: ${first(test)}`;
      return `fails by an error of the source${at(frame)}, not by an assertion: ${first(test)}`;
    case "load":
      return `does not load: ${first(test)}`;
    case "timeout":
      return "times out";
    case "hook":
      // The unit under test is often made in a hook: its own marker is as good there.
      if (reportsMarker(test.message) && frame !== undefined && !inTest) return null;
      return `fails in a hook, before or after the test: ${first(test)}`;
    case "crash":
      return "its process ended before the test did";
    case null:
      return "fails without a reason that the runner tells";
  }
}

function isMissingMember(test: TestResult): boolean {
  return (
    /\.[\p{L}\p{N}_$]+ is not a (?:function|constructor)/u.test(first(test)) && !/expect\(/.test(first(test))
  );
}

function first(test: TestResult): string {
  return test.message.split("\n")[0]?.trim().slice(0, 200) ?? "";
}

function at(frame: string | undefined): string {
  return frame === undefined ? "" : ` at ${frame}`;
}
