/** Warning for a command that the environment stopped: it counts no attempt, and `resume` repeats it. */
import type { ErrorCode } from "../lib/errors.ts";
import type { EventOf } from "../log/run-event.ts";
import type { EnvironmentError } from "../log/environment-error.ts";

export function environmentErrorFact({
  code,
  ...stopped
}: EnvironmentError & { readonly code: ErrorCode }): EventOf<"warned"> {
  const message = `error[${code}]: ${stopped.message} (hint: ${stopped.hint})`;
  return { type: "warned", code, message, stopped };
}
