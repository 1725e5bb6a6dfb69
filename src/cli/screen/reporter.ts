import type { Progress, RunContext } from "../../run/context.ts";

/** Prints the progress of a run. */
export interface Reporter {
  readonly progress: (event: Progress) => void;
  attach(context: RunContext): void;
  /** Waits until all that happened is printed, and stops drawing: a person is asked. */
  pause(): Promise<void>;
  /** The same at the end of the command. @returns whether anything was printed */
  flush(): Promise<boolean>;
}
