/** A command that the environment stopped: nobody's fault, never charged, said as an error and done again by `resume`. */
import type { ErrorCode } from "../lib/errors.ts";
import type { EventOf } from "../log/run-event.ts";

export interface Stop {
  readonly key: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  /** Where it was, of a fault of ours. */
  readonly stack?: string | undefined;
  readonly cause?: "missing" | "auth" | "rate_limited";
}

export function stoppedFact({ key, code, message, hint, stack, cause }: Stop): EventOf<"warned"> {
  const words = `error[${code}]: ${message} (hint: ${hint})`;
  return {
    type: "warned",
    code,
    message: words,
    stopped: {
      key,
      message,
      hint,
      ...(stack === undefined ? {} : { stack }),
      ...(cause === undefined ? {} : { cause }),
    },
  };
}
