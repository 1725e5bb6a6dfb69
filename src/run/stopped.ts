/** A command that the environment stopped: nobody's fault, never charged, said as an error and done again by `resume`. */
import type { ErrorCode } from "../lib/errors.ts";
import type { EventOf } from "../log/run-event.ts";
import type { Stopped } from "../log/stopped.ts";

export function stoppedFact({ code, ...stopped }: Stopped & { readonly code: ErrorCode }): EventOf<"warned"> {
  const message = `error[${code}]: ${stopped.message} (hint: ${stopped.hint})`;
  return { type: "warned", code, message, stopped };
}
